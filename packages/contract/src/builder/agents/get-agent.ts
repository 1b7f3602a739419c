import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { AGENT_PATH, AgentDetails, agentParams } from './agent.ts'

export const getAgentForBuilder = defineOperation({
  id: 'getAgent',
  method: 'GET',
  path: AGENT_PATH,
  tag: 'Agents',
  summary: 'Get an agent with its configuration and use',
  access: 'builder',
  needs: 'read',
  params: Type.Object(agentParams),
  success: { status: 200, description: 'The agent.', body: AgentDetails },
  errors: ['agent_not_found'],
})
