import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { UpdateTeamBody } from '../../teams/team.ts'
import { savedChanges } from '../unsaved-changes/operations.ts'
import { baseVersionId } from '../versions/version.ts'
import { TEAM_PATH, TeamDetails, teamParams } from './team.ts'

export const updateTeamForBuilder = defineOperation({
  id: 'updateTeam',
  method: 'PUT',
  path: TEAM_PATH,
  tag: 'Teams',
  summary: 'Change a team',
  description: 'At least one of name, description and config. The change is live for the next run.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(teamParams),
  body: Type.Object({
    baseVersionId,
    ...UpdateTeamBody.properties,
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether `config` replaces the stored one, so that keys can be removed, instead of being merged onto it.',
      }),
    ),
    savedChanges,
  }),
  success: { status: 200, description: 'The team as of its new version.', body: TeamDetails },
  errors: ['validation_error', 'team_not_found', 'version_conflict', 'llm_configuration_not_found'],
})
