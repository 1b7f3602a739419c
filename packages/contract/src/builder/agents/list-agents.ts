import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Page } from '../../schema/page.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { AgentStatusChoice, AgentSummary } from './agent.ts'

export const listAgentsForBuilder = defineOperation({
  id: 'listAgents',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/agents`,
  tag: 'Agents',
  summary: 'List agents with their use, runs and cost',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({ ...configurationQuery, status: Type.Optional(AgentStatusChoice) }),
  success: { status: 200, description: 'One page of agents.', body: Page(AgentSummary) },
  errors: ['validation_error'],
})
