import { defineOperation } from '../operation/operation.ts'
import { IdempotencyHeaders } from '../runs/run-body.ts'
import { AcceptedWorkflowRun, WorkflowParams, WorkflowRunBody } from './workflow-run.ts'

export const runWorkflowAsyncOperation = defineOperation({
  id: 'runWorkflowAsync',
  method: 'POST',
  path: '/api/v1/workflows/{workflowId}/run-async',
  tag: 'Workflow runs',
  summary: 'Start a workflow',
  description:
    'Responds once the run is stored. Poll every 2 seconds for 30 seconds, then every 5, never more often than once a second.',
  access: 'api_key',
  params: WorkflowParams,
  headers: IdempotencyHeaders,
  body: WorkflowRunBody,
  bodyOptional: true,
  success: { status: 202, description: 'The run is stored.', body: AcceptedWorkflowRun },
  errors: [
    'validation_error',
    'forbidden',
    'workflow_not_found',
    'workflow_not_published',
    'idempotency_conflict',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
})
