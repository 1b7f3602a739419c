import { defineOperation } from '../operation/operation.ts'
import { WorkflowJob, WorkflowJobParams } from './workflow-run.ts'

export const getWorkflowJobOperation = defineOperation({
  id: 'getWorkflowJob',
  method: 'GET',
  path: '/api/v1/workflow-jobs/{jobId}',
  tag: 'Workflow runs',
  summary: 'Read the state of a run',
  access: 'api_key',
  params: WorkflowJobParams,
  success: { status: 200, description: 'The state of the run.', body: WorkflowJob },
  errors: ['job_not_found'],
})
