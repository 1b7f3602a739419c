import { defineOperation } from '../operation/operation.ts'
import { StreamEvent } from '../runs/events.ts'
import { ResumeQuery } from '../runs/run-params.ts'
import { TeamRunParams } from './team-params.ts'

export const resumeTeamStreamOperation = defineOperation({
  id: 'resumeTeamStream',
  method: 'GET',
  path: '/api/v1/teams/{teamId}/runs/{runId}/stream',
  tag: 'Team runs',
  summary: 'Continue reading the events of a streaming run or a job',
  description: 'Replays every event after `Last-Event-ID` (or `last_event_id`), then follows the run.',
  access: 'api_key',
  params: TeamRunParams,
  query: ResumeQuery,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found'],
})
