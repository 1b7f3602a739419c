import { defineOperation } from '../operation/operation.ts'
import { AcceptedTeamJob } from '../runs/job.ts'
import { IdempotencyHeaders, TeamRunBody } from '../runs/run-body.ts'
import { TEAM_RUN_ERRORS, TeamParams } from './team-params.ts'

export const runTeamAsyncOperation = defineOperation({
  id: 'runTeamAsync',
  method: 'POST',
  path: '/api/v1/teams/{teamId}/run-async',
  tag: 'Team runs',
  summary: 'Run a team as a job',
  description:
    'Responds once the job is stored. Poll it or read its events; it survives the loss of its worker.',
  access: 'api_key',
  params: TeamParams,
  headers: IdempotencyHeaders,
  body: TeamRunBody,
  success: { status: 202, description: 'The job is stored.', body: AcceptedTeamJob },
  errors: TEAM_RUN_ERRORS,
})
