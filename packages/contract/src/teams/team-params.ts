import { Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import type { RunId, TeamId } from '../schema/ids.ts'

export const TeamParams = Type.Object({ teamId: Uuid<TeamId>() })

export const TeamRunParams = Type.Object({
  ...TeamParams.properties,
  runId: Uuid<RunId>(),
})

/** Codes of every operation that starts a team run. */
export const TEAM_RUN_ERRORS = [
  'validation_error',
  'forbidden',
  'team_not_found',
  'run_cancelled',
  'idempotency_conflict',
  'budget_exceeded',
  'bad_gateway',
  'upstream_error',
] as const
