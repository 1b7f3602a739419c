import { defineOperation } from '../operation/operation.ts'
import { WorkflowJobParams, WorkflowJobResult } from './workflow-run.ts'

export const getWorkflowJobResultOperation = defineOperation({
  id: 'getWorkflowJobResult',
  method: 'GET',
  path: '/api/v1/workflow-jobs/{jobId}/result',
  tag: 'Workflow runs',
  summary: 'Read the output of a finished run',
  access: 'api_key',
  params: WorkflowJobParams,
  success: { status: 200, description: 'The output of the run.', body: WorkflowJobResult },
  errors: ['job_not_found', 'not_finished'],
})
