import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import {
  createTeamOnce,
  duplicateTeam,
  editTeam,
  restoreTeam,
  type TeamChanges,
} from '@troupe/operations/teams/change-teams'
import { deleteTeam } from '@troupe/operations/teams/delete-team'
import { getTeamDetails, listTeamSummaries } from '@troupe/operations/teams/read-teams'
import { describeVersion } from '@troupe/operations/versions/describe-version'
import { getVersion, listVersions } from '@troupe/operations/versions/read-versions'
import type { Context } from '../../wiring/context.ts'

type Parts = TeamChanges & Pick<Context, 'database'>

/** Teams with their versions. */
export function registerBuilderTeams(app: App, parts: Parts): void {
  registerOperation(app, BUILDER_OPERATIONS.listTeams, ({ caller, query }) =>
    listTeamSummaries(parts, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.createTeam, async ({ caller, body }, reply) => {
    const { value, created } = await createTeamOnce(parts, caller, body)
    if (!created) reply.statusCode = 200
    return value
  })
  registerOperation(app, BUILDER_OPERATIONS.getTeam, ({ caller, params }) =>
    getTeamDetails(parts, caller, params.teamId),
  )
  registerOperation(app, BUILDER_OPERATIONS.updateTeam, ({ caller, params, body }) =>
    editTeam(parts, caller, params.teamId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.deleteTeam, async ({ caller, params }) => {
    await deleteTeam(parts, caller, caller.actor, params.teamId)
    return null
  })
  registerOperation(app, BUILDER_OPERATIONS.duplicateTeam, ({ caller, params, body }) =>
    duplicateTeam(parts, caller, params.teamId, body),
  )
  registerVersions(app, parts)
}

function registerVersions(app: App, parts: Parts): void {
  const kind = 'team'
  registerOperation(app, BUILDER_OPERATIONS.listTeamVersions, ({ caller, params, query }) =>
    listVersions(parts, caller, { kind, id: params.teamId }, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getTeamVersion, ({ caller, params }) =>
    getVersion(parts, caller, { kind, id: params.teamId, versionId: params.versionId }),
  )
  registerOperation(app, BUILDER_OPERATIONS.describeTeamVersion, ({ caller, params, body }) =>
    describeVersion(parts, caller, { kind, id: params.teamId, versionId: params.versionId }, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.restoreTeamVersion, ({ caller, params, body }) =>
    restoreTeam(parts, caller, params, body),
  )
}
