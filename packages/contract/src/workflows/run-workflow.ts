import { defineOperation } from '../operation/operation.ts'
import { IdempotencyHeaders } from '../runs/run-body.ts'
import { WorkflowParams, WorkflowRunBody, WorkflowRunResult } from './workflow-run.ts'

export const runWorkflowOperation = defineOperation({
  id: 'runWorkflow',
  method: 'POST',
  path: '/api/v1/workflows/{workflowId}/run',
  tag: 'Workflow runs',
  summary: 'Run a workflow and wait for its output',
  description: 'Blocks up to 30 seconds. After a timeout the run continues; its `executionId` is in the 504.',
  access: 'api_key',
  params: WorkflowParams,
  headers: IdempotencyHeaders,
  body: WorkflowRunBody,
  bodyOptional: true,
  success: { status: 200, description: 'The run has ended.', body: WorkflowRunResult },
  errors: [
    'validation_error',
    'forbidden',
    'workflow_not_found',
    'workflow_not_published',
    'idempotency_conflict',
    'concurrency_limit_reached',
    'execution_create_failed',
    'bad_gateway',
    'execution_timeout',
  ],
})
