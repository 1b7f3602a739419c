import { defineOperation } from '../operation/operation.ts'
import { JobParams, TeamJob } from '../runs/job.ts'

export const getTeamJobOperation = defineOperation({
  id: 'getTeamJob',
  method: 'GET',
  path: '/api/v1/team-jobs/{jobId}',
  tag: 'Team runs',
  summary: 'Read an asynchronous team run',
  access: 'api_key',
  params: JobParams,
  success: { status: 200, description: 'The job.', body: TeamJob },
  errors: ['job_not_found'],
})
