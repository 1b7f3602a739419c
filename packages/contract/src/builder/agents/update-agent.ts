import { Type } from 'typebox'
import { AgentConfigBody, givenAgentSettings } from '../../agents/agent.ts'
import { defineOperation } from '../../operation/operation.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { savedChanges } from '../unsaved-changes/operations.ts'
import { baseVersionId } from '../versions/version.ts'
import { AGENT_PATH, AgentDetails, agentParams } from './agent.ts'

export const updateAgentForBuilder = defineOperation({
  id: 'updateAgent',
  method: 'PUT',
  path: AGENT_PATH,
  tag: 'Agents',
  summary: 'Change an agent',
  description: 'At least one of name, description and config. The change is live for the next run.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(agentParams),
  body: Type.Object({
    baseVersionId,
    // The operation refuses a blank name unless it is the stored one.
    name: Type.Optional(StoredName),
    ...givenAgentSettings,
    config: Type.Optional(AgentConfigBody),
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether `config` replaces the stored one, so that keys can be removed, instead of being merged onto it.',
      }),
    ),
    savedChanges,
  }),
  success: { status: 200, description: 'The agent as of its new version.', body: AgentDetails },
  errors: [
    'validation_error',
    'agent_not_found',
    'version_conflict',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
  ],
})
