import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { detailQuery, StreamEvent } from '../runs/events.ts'
import { IdempotencyHeaders, TeamStreamBody } from '../runs/run-body.ts'
import { TEAM_RUN_ERRORS, TeamParams } from './team-params.ts'

export const runTeamStreamOperation = defineOperation({
  id: 'runTeamStream',
  method: 'POST',
  path: '/api/v1/teams/{teamId}/run-stream',
  tag: 'Team runs',
  summary: 'Run a team and read the answer as it is written',
  description:
    "Server-sent events; members' texts are on the channel `trace`, the answer on `answer`. The last event is " +
    '`RunCompleted`, `RunError` or `RunCancelled`.',
  access: 'api_key',
  params: TeamParams,
  query: Type.Object(detailQuery),
  headers: IdempotencyHeaders,
  body: TeamStreamBody,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: TEAM_RUN_ERRORS,
})
