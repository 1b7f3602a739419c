import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { TeamVersionId } from '../../schema/ids.ts'
import { pageQuery } from '../../schema/page.ts'
import {
  DescribeConfigVersionBody,
  RestoreBody,
  Version,
  VersionDetails,
  VersionPage,
} from '../versions/version.ts'
import { TEAM_PATH, TeamDetails, teamParams } from './team.ts'

const VERSIONS_PATH = `${TEAM_PATH}/versions` as const
const VERSION_PATH = `${VERSIONS_PATH}/{versionId}` as const
const versionParams = { ...teamParams, versionId: Uuid<TeamVersionId>() }

export const listTeamVersionsForBuilder = defineOperation({
  id: 'listTeamVersions',
  method: 'GET',
  path: VERSIONS_PATH,
  tag: 'Teams',
  summary: 'List the versions of a team, newest first',
  access: 'builder',
  needs: 'read',
  params: Type.Object(teamParams),
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of versions.', body: VersionPage },
  errors: ['validation_error', 'team_not_found'],
})

export const getTeamVersionForBuilder = defineOperation({
  id: 'getTeamVersion',
  method: 'GET',
  path: VERSION_PATH,
  tag: 'Teams',
  summary: 'Get a version with its configuration',
  access: 'builder',
  needs: 'read',
  params: Type.Object(versionParams),
  success: { status: 200, description: 'The version.', body: VersionDetails },
  errors: ['version_not_found'],
})

export const describeTeamVersionForBuilder = defineOperation({
  id: 'describeTeamVersion',
  method: 'PUT',
  path: VERSION_PATH,
  tag: 'Teams',
  summary: 'Label a version',
  access: 'builder',
  needs: 'build',
  params: Type.Object(versionParams),
  body: DescribeConfigVersionBody,
  success: { status: 200, description: 'The version.', body: Version },
  errors: ['validation_error', 'version_not_found'],
})

export const restoreTeamVersionForBuilder = defineOperation({
  id: 'restoreTeamVersion',
  method: 'POST',
  path: `${VERSION_PATH}/restore`,
  tag: 'Teams',
  summary: 'Restore a version as a new one',
  access: 'builder',
  needs: 'build',
  params: Type.Object(versionParams),
  body: RestoreBody,
  bodyOptional: true,
  success: { status: 200, description: 'The team as of its new version.', body: TeamDetails },
  errors: [
    'validation_error',
    'team_not_found',
    'version_not_found',
    'version_conflict',
    'llm_configuration_not_found',
  ],
})
