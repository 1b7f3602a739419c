import { defineOperation } from '../operation/operation.ts'
import { Agent, AgentParams } from './agent.ts'

export const getAgentOperation = defineOperation({
  id: 'getAgent',
  method: 'GET',
  path: '/api/v1/agents/{agentId}',
  tag: 'Agents',
  summary: 'Read an agent',
  access: 'api_key',
  params: AgentParams,
  success: { status: 200, description: 'The agent.', body: Agent },
  errors: ['forbidden', 'agent_not_found'],
})
