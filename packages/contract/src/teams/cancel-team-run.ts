import { defineOperation } from '../operation/operation.ts'
import { CancelledRun } from '../runs/run-params.ts'
import { TeamRunParams } from './team-params.ts'

export const cancelTeamRunOperation = defineOperation({
  id: 'cancelTeamRun',
  method: 'DELETE',
  path: '/api/v1/teams/{teamId}/runs/{runId}',
  tag: 'Team runs',
  summary: 'Cancel a run in progress',
  description:
    'Works from any process, for jobs too, and reaches every member. A run that has ended keeps its status.',
  access: 'api_key',
  params: TeamRunParams,
  success: { status: 200, description: 'Whether this call cancelled the run.', body: CancelledRun },
  errors: ['run_not_found'],
})
