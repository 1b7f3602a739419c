import { Type } from 'typebox'

export const TeamParams = Type.Object({ teamId: Type.String({ description: 'UUID of the team.' }) })

export const TeamRunParams = Type.Object({
  ...TeamParams.properties,
  runId: Type.String({ description: 'UUID of the run.' }),
})

/** Codes of every operation that starts a team run. */
export const TEAM_RUN_ERRORS = [
  'validation_error',
  'forbidden',
  'team_not_found',
  'run_cancelled',
  'idempotency_conflict',
  'bad_gateway',
  'upstream_error',
] as const
