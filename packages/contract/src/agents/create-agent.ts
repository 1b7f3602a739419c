import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { ProjectId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { AgentConfigBody, AgentName, givenAgentSettings, SavedAgent } from './agent.ts'

export const createAgentOperation = defineOperation({
  id: 'createAgent',
  method: 'POST',
  path: '/api/v1/agents',
  tag: 'Agents',
  summary: 'Create an agent',
  access: 'api_key',
  body: Type.Object({
    name: AgentName,
    ...givenAgentSettings,
    projectId: Type.Optional(
      Nullable(
        Uuid<ProjectId>({
          description: 'Ignored for project-scoped keys: the agent is created in their project.',
        }),
      ),
    ),
    config: Type.Optional(AgentConfigBody),
  }),
  success: { status: 201, description: 'The agent, as a draft.', body: SavedAgent },
  errors: [
    'validation_error',
    'project_not_found',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
  ],
})
