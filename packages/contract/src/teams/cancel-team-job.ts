import { defineOperation } from '../operation/operation.ts'
import { CancelledJob, JobParams } from '../runs/job.ts'

export const cancelTeamJobOperation = defineOperation({
  id: 'cancelTeamJob',
  method: 'POST',
  path: '/api/v1/team-jobs/{jobId}/cancel',
  tag: 'Team runs',
  summary: 'Cancel an asynchronous team run',
  description: 'Works from any process. A job that has already ended keeps its status.',
  access: 'api_key',
  params: JobParams,
  success: { status: 200, description: 'The status of the job afterwards.', body: CancelledJob },
  errors: ['job_not_found'],
})
