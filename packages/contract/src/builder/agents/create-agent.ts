import { Type } from 'typebox'
import { AgentConfigBody, givenAgentSettings } from '../../agents/agent.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { SettingName } from '../organization/organization.ts'
import { AgentDetails } from './agent.ts'

export const createAgentForBuilder = defineOperation({
  id: 'createAgent',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/agents`,
  tag: 'Agents',
  summary: 'Create an agent',
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: Type.Object({
    id: Type.Optional(
      Uuid<AgentId>({ description: 'The id that the agent gets: sent again, nothing is created twice.' }),
    ),
    name: SettingName,
    ...givenAgentSettings,
    projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
    config: Type.Optional(AgentConfigBody),
  }),
  success: {
    status: 201,
    description: 'The agent, as a draft.',
    body: AgentDetails,
    unchanged: 'The existing agent with this id.',
  },
  errors: [
    'validation_error',
    'id_taken',
    'project_not_found',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
  ],
})
