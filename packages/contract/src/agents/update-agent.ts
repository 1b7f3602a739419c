import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { StoredName } from '../schema/shown-name.ts'
import { AgentConfigBody, AgentParams, givenAgentSettings, SavedAgent } from './agent.ts'

export const updateAgentOperation = defineOperation({
  id: 'updateAgent',
  method: 'PUT',
  path: '/api/v1/agents/{agentId}',
  tag: 'Agents',
  summary: 'Update an agent',
  description: 'At least one field. `config` is merged field by field onto the stored one.',
  access: 'api_key',
  params: AgentParams,
  body: Type.Object({
    // The operation refuses a blank name unless it is the stored one.
    name: Type.Optional(StoredName),
    ...givenAgentSettings,
    config: Type.Optional(AgentConfigBody),
  }),
  success: {
    status: 200,
    description: 'The updated agent. A version snapshot was recorded.',
    body: SavedAgent,
  },
  errors: [
    'validation_error',
    'forbidden',
    'agent_not_found',
    'llm_configuration_not_found',
    'model_price_missing',
    'credential_not_found',
  ],
})
