import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { detailQuery, StreamEvent } from '../runs/events.ts'
import { AgentStreamBody, IdempotencyHeaders } from '../runs/run-body.ts'
import { AgentParams } from './agent.ts'
import { AGENT_RUN_ERRORS } from './run-agent.ts'

export const runAgentStreamOperation = defineOperation({
  id: 'runAgentStream',
  method: 'POST',
  path: '/api/v1/agents/{agentId}/run-stream',
  tag: 'Agent runs',
  summary: 'Run an agent and read the answer as it is written',
  description: 'Server-sent events; the last is `RunCompleted`, `RunError` or `RunCancelled`.',
  access: 'api_key',
  params: AgentParams,
  query: Type.Object(detailQuery),
  headers: IdempotencyHeaders,
  body: AgentStreamBody,
  success: { status: 200, description: 'The event stream.', body: StreamEvent, type: 'text/event-stream' },
  errors: AGENT_RUN_ERRORS,
})
