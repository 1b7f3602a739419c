import { defineOperation } from '../operation/operation.ts'
import { AgentRunResult } from '../runs/agent-run-result.ts'
import { AgentRunBody, IdempotencyHeaders } from '../runs/run-body.ts'
import { AgentParams } from './agent.ts'

/** Codes of every operation that starts an agent run. */
export const AGENT_RUN_ERRORS = [
  'validation_error',
  'forbidden',
  'agent_not_found',
  'agent_archived',
  'run_cancelled',
  'idempotency_conflict',
  'llm_configuration_not_found',
  'model_price_missing',
  'budget_exceeded',
  'bad_gateway',
  'upstream_error',
] as const

export const runAgentOperation = defineOperation({
  id: 'runAgent',
  method: 'POST',
  path: '/api/v1/agents/{agentId}/run',
  tag: 'Agent runs',
  summary: 'Run an agent and wait for the answer',
  description: 'Blocks up to 30 seconds; then the run is cancelled and the response is 504.',
  access: 'api_key',
  params: AgentParams,
  headers: IdempotencyHeaders,
  body: AgentRunBody,
  success: { status: 200, description: 'The answer.', body: AgentRunResult },
  errors: [...AGENT_RUN_ERRORS, 'execution_timeout'],
})
