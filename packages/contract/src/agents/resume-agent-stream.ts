import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { StreamEvent } from '../runs/events.ts'
import { ResumeQuery } from '../runs/run-params.ts'
import { Uuid } from '../schema/formats.ts'
import type { AgentId, RunId } from '../schema/ids.ts'

export const AgentRunParams = Type.Object({
  agentId: Uuid<AgentId>(),
  runId: Uuid<RunId>(),
})

export const resumeAgentStreamOperation = defineOperation({
  id: 'resumeAgentStream',
  method: 'GET',
  path: '/api/v1/agents/{agentId}/runs/{runId}/stream',
  tag: 'Agent runs',
  summary: 'Continue reading the events of a streaming run or a job',
  description: 'Replays every event after `Last-Event-ID` (or `last_event_id`), then follows the run.',
  access: 'api_key',
  params: AgentRunParams,
  query: ResumeQuery,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found'],
})
