import { defineOperation } from '../operation/operation.ts'
import { WorkflowJobParams, WorkflowJobStatus } from './workflow-run.ts'

export const resumeWorkflowJobOperation = defineOperation({
  id: 'resumeWorkflowJob',
  method: 'POST',
  path: '/api/v1/workflow-jobs/{jobId}/resume',
  tag: 'Workflow runs',
  summary: 'Resume a paused run',
  access: 'api_key',
  params: WorkflowJobParams,
  success: { status: 200, description: 'The status of the run afterwards.', body: WorkflowJobStatus },
  errors: ['job_not_found', 'invalid_state'],
})
