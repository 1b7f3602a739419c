import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { TEAM_PATH, teamParams } from './team.ts'

export const deleteTeamForBuilder = defineOperation({
  id: 'deleteTeam',
  method: 'DELETE',
  path: TEAM_PATH,
  tag: 'Teams',
  summary: 'Delete a team with its versions; its runs and sessions stay',
  access: 'builder',
  needs: 'build',
  params: Type.Object(teamParams),
  success: { status: 204, description: 'The team is deleted.', body: Type.Null() },
  errors: ['team_not_found', 'team_in_use'],
})
