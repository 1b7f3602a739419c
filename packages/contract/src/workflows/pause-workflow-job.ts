import { defineOperation } from '../operation/operation.ts'
import { WorkflowJobParams, WorkflowJobStatus } from './workflow-run.ts'

export const pauseWorkflowJobOperation = defineOperation({
  id: 'pauseWorkflowJob',
  method: 'POST',
  path: '/api/v1/workflow-jobs/{jobId}/pause',
  tag: 'Workflow runs',
  summary: 'Pause a run',
  access: 'api_key',
  params: WorkflowJobParams,
  success: { status: 200, description: 'The status of the run afterwards.', body: WorkflowJobStatus },
  errors: ['job_not_found', 'invalid_state'],
})
