import { Type } from 'typebox'
import { defineOperation } from '../operation.ts'
import { detailQuery, StreamEvent } from '../runs/events.ts'

export const AgentRunParams = Type.Object({
  agentId: Type.String({ description: 'UUID of the agent.' }),
  runId: Type.String({ description: 'UUID of the run.' }),
})

export const resumeAgentStream = defineOperation({
  id: 'resumeAgentStream',
  method: 'GET',
  path: '/api/v1/agents/{agentId}/runs/{runId}/stream',
  tag: 'Agent runs',
  summary: 'Continue reading the events of a streaming run',
  description: 'Replays every event after `Last-Event-ID` (or `last_event_id`), then follows the run.',
  access: 'api_key',
  params: AgentRunParams,
  query: Type.Object({
    ...detailQuery,
    last_event_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  }),
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: ['validation_error', 'run_not_found'],
})
