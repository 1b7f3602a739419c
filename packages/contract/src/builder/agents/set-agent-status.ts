import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { AGENT_PATH, AgentDetails, AgentStatusChoice, agentParams } from './agent.ts'

export const setAgentStatusForBuilder = defineOperation({
  id: 'setAgentStatus',
  method: 'PUT',
  path: `${AGENT_PATH}/status`,
  tag: 'Agents',
  summary: 'Activate, archive or reopen an agent',
  description: 'An archived agent becomes a draft before it can be active again.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(agentParams),
  body: Type.Object({ status: AgentStatusChoice }),
  success: { status: 200, description: 'The agent.', body: AgentDetails },
  errors: ['validation_error', 'agent_not_found', 'agent_in_use', 'invalid_state'],
})
