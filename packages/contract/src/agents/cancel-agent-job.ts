import { defineOperation } from '../operation/operation.ts'
import { CancelledJob, JobParams } from '../runs/job.ts'

export const cancelAgentJobOperation = defineOperation({
  id: 'cancelAgentJob',
  method: 'POST',
  path: '/api/v1/jobs/{jobId}/cancel',
  tag: 'Agent runs',
  summary: 'Cancel an asynchronous agent run',
  description: 'Works from any process. A job that has already ended keeps its status.',
  access: 'api_key',
  params: JobParams,
  success: { status: 200, description: 'The status of the job afterwards.', body: CancelledJob },
  errors: ['job_not_found'],
})
