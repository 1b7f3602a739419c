import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { SettingName } from '../organization/organization.ts'
import { AGENT_PATH, AgentDetails, agentParams } from './agent.ts'

export const duplicateAgentForBuilder = defineOperation({
  id: 'duplicateAgent',
  method: 'POST',
  path: `${AGENT_PATH}/duplicate`,
  tag: 'Agents',
  summary: 'Copy an agent',
  access: 'builder',
  needs: 'build',
  params: Type.Object(agentParams),
  body: Type.Object({
    name: Type.Optional(SettingName),
    projectId: Type.Optional(
      Nullable(Uuid<ProjectId>({ description: 'Absent: the project of the original.' })),
    ),
  }),
  bodyOptional: true,
  success: { status: 201, description: 'The copy, as a draft.', body: AgentDetails },
  errors: [
    'validation_error',
    'agent_not_found',
    'project_not_found',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
  ],
})
