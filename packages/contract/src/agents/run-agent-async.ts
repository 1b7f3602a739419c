import { defineOperation } from '../operation/operation.ts'
import { AcceptedAgentJob } from '../runs/job.ts'
import { AgentRunBody, IdempotencyHeaders } from '../runs/run-body.ts'
import { AgentParams } from './agent.ts'
import { AGENT_RUN_ERRORS } from './run-agent.ts'

export const runAgentAsyncOperation = defineOperation({
  id: 'runAgentAsync',
  method: 'POST',
  path: '/api/v1/agents/{agentId}/run-async',
  tag: 'Agent runs',
  summary: 'Run an agent as a job',
  description:
    'Responds once the job is stored. Poll it or read its events; it survives the loss of its worker.',
  access: 'api_key',
  params: AgentParams,
  headers: IdempotencyHeaders,
  body: AgentRunBody,
  success: { status: 202, description: 'The job is stored.', body: AcceptedAgentJob },
  errors: AGENT_RUN_ERRORS,
})
