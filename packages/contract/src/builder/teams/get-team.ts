import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { TEAM_PATH, TeamDetails, teamParams } from './team.ts'

export const getTeamForBuilder = defineOperation({
  id: 'getTeam',
  method: 'GET',
  path: TEAM_PATH,
  tag: 'Teams',
  summary: 'Get a team with its configuration and use',
  access: 'builder',
  needs: 'read',
  params: Type.Object(teamParams),
  success: { status: 200, description: 'The team.', body: TeamDetails },
  errors: ['team_not_found'],
})
