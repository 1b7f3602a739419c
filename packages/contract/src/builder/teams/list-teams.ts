import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Page } from '../../schema/page.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { TeamSummary } from './team.ts'

export const listTeamsForBuilder = defineOperation({
  id: 'listTeams',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/teams`,
  tag: 'Teams',
  summary: 'List teams with their use, runs and cost',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page of teams.', body: Page(TeamSummary) },
  errors: ['validation_error'],
})
