import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { StreamEvent } from '../../runs/events.ts'
import { ResumeQuery } from '../../runs/run-params.ts'
import { ORGANIZATION_PATH } from '../operation/paths.ts'
import { observedRunParams } from './get-run.ts'

export const streamRunForBuilder = defineOperation({
  id: 'streamRun',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}/stream`,
  tag: 'Runs',
  summary: 'Follow a run of an agent or a team',
  description:
    'Replays every event after `Last-Event-ID` (or `last_event_id`), then follows the run. Synchronous runs and runs of ' +
    'workflows have no event stream: watch the topic `workflow-run:<id>` of `…/events`.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(observedRunParams),
  query: ResumeQuery,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found', 'invalid_state'],
})
