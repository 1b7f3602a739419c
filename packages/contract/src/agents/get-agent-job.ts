import { defineOperation } from '../operation/operation.ts'
import { AgentJob, JobParams } from '../runs/job.ts'

export const getAgentJobOperation = defineOperation({
  id: 'getAgentJob',
  method: 'GET',
  path: '/api/v1/jobs/{jobId}',
  tag: 'Agent runs',
  summary: 'Read an asynchronous agent run',
  access: 'api_key',
  params: JobParams,
  success: { status: 200, description: 'The job.', body: AgentJob },
  errors: ['job_not_found'],
})
