import { defineOperation } from '../operation/operation.ts'
import { CancelledRun } from '../runs/run-params.ts'
import { AgentRunParams } from './resume-agent-stream.ts'

export const cancelAgentRunOperation = defineOperation({
  id: 'cancelAgentRun',
  method: 'DELETE',
  path: '/api/v1/agents/{agentId}/runs/{runId}',
  tag: 'Agent runs',
  summary: 'Cancel a run in progress',
  description: 'Works from any process, for jobs too. A run that has already ended keeps its status.',
  access: 'api_key',
  params: AgentRunParams,
  success: {
    status: 200,
    description: 'Whether this call cancelled the run.',
    body: CancelledRun,
  },
  errors: ['run_not_found'],
})
