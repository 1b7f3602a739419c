import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { TeamName } from '../../teams/team.ts'
import { TEAM_PATH, TeamDetails, teamParams } from './team.ts'

export const duplicateTeamForBuilder = defineOperation({
  id: 'duplicateTeam',
  method: 'POST',
  path: `${TEAM_PATH}/duplicate`,
  tag: 'Teams',
  summary: 'Copy a team',
  access: 'builder',
  needs: 'build',
  params: Type.Object(teamParams),
  body: Type.Object({
    name: Type.Optional(TeamName),
    projectId: Type.Optional(
      Nullable(Uuid<ProjectId>({ description: 'Absent: the project of the original.' })),
    ),
  }),
  bodyOptional: true,
  success: { status: 201, description: 'The copy.', body: TeamDetails },
  errors: ['validation_error', 'team_not_found', 'project_not_found', 'llm_configuration_not_found'],
})
