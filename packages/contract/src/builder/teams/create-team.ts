import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { TeamId } from '../../schema/ids.ts'
import { CreateTeamBody } from '../../teams/team.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { TeamDetails } from './team.ts'

export const createTeamForBuilder = defineOperation({
  id: 'createTeam',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/teams`,
  tag: 'Teams',
  summary: 'Create a team',
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: Type.Object({
    id: Type.Optional(
      Uuid<TeamId>({ description: 'The id that the team gets: sent again, nothing is created twice.' }),
    ),
    ...CreateTeamBody.properties,
  }),
  success: {
    status: 201,
    description: 'The team.',
    body: TeamDetails,
    unchanged: 'The existing team with this id.',
  },
  errors: ['validation_error', 'id_taken', 'project_not_found', 'llm_configuration_not_found'],
})
