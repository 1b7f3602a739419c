import { defineOperation } from '../operation/operation.ts'
import { IdempotencyHeaders, TeamRunBody } from '../runs/run-body.ts'
import { TeamRunResult } from '../runs/team-run-result.ts'
import { TEAM_RUN_ERRORS, TeamParams } from './team-params.ts'

export const runTeamSyncOperation = defineOperation({
  id: 'runTeamSync',
  method: 'POST',
  path: '/api/v1/teams/{teamId}/run-sync',
  tag: 'Team runs',
  summary: 'Run a team and wait for the answer',
  description: 'Blocks up to 30 seconds; then the run is cancelled and the response is 504.',
  access: 'api_key',
  params: TeamParams,
  headers: IdempotencyHeaders,
  body: TeamRunBody,
  success: { status: 200, description: 'The answer.', body: TeamRunResult },
  errors: [...TEAM_RUN_ERRORS, 'execution_timeout'],
})
