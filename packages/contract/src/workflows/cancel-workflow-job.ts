import { defineOperation } from '../operation/operation.ts'
import { WorkflowJobParams, WorkflowJobStatus } from './workflow-run.ts'

export const cancelWorkflowJobOperation = defineOperation({
  id: 'cancelWorkflowJob',
  method: 'POST',
  path: '/api/v1/workflow-jobs/{jobId}/cancel',
  tag: 'Workflow runs',
  summary: 'Cancel a run',
  access: 'api_key',
  params: WorkflowJobParams,
  success: { status: 200, description: 'The status of the run afterwards.', body: WorkflowJobStatus },
  errors: ['job_not_found'],
})
