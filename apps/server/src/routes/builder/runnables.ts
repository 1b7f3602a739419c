import type { RunnableKind } from '@troupe/agents/ports'
import type { AnyVersionId, IdText } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { setAgentStatus } from '@troupe/operations/agents/set-agent-status'
import {
  changeRunnable,
  createRunnable,
  duplicateRunnable,
  type RunnableChanges,
  restoreRunnable,
} from '@troupe/operations/runnable-editor/change-runnables'
import { getDetails, listRunnables } from '@troupe/operations/runnables/read-runnables'
import { deleteTeam } from '@troupe/operations/teams/delete-team'
import { describeVersion } from '@troupe/operations/versions/describe-version'
import { getVersion, listVersions } from '@troupe/operations/versions/read-versions'
import type { Context } from '../../wiring/context.ts'
import { idOf, type RunnableParams } from '../v1/runnable-params.ts'

type Parts = RunnableChanges & Pick<Context, 'database'>

/** The operations that agents and teams share. */
const SHARED = {
  agent: {
    create: BUILDER_OPERATIONS.createAgent,
    get: BUILDER_OPERATIONS.getAgent,
    update: BUILDER_OPERATIONS.updateAgent,
    duplicate: BUILDER_OPERATIONS.duplicateAgent,
    listVersions: BUILDER_OPERATIONS.listAgentVersions,
    getVersion: BUILDER_OPERATIONS.getAgentVersion,
    describeVersion: BUILDER_OPERATIONS.describeAgentVersion,
    restoreVersion: BUILDER_OPERATIONS.restoreAgentVersion,
  },
  team: {
    create: BUILDER_OPERATIONS.createTeam,
    get: BUILDER_OPERATIONS.getTeam,
    update: BUILDER_OPERATIONS.updateTeam,
    duplicate: BUILDER_OPERATIONS.duplicateTeam,
    listVersions: BUILDER_OPERATIONS.listTeamVersions,
    getVersion: BUILDER_OPERATIONS.getTeamVersion,
    describeVersion: BUILDER_OPERATIONS.describeTeamVersion,
    restoreVersion: BUILDER_OPERATIONS.restoreTeamVersion,
  },
} as const

/** Agents and teams with their versions. */
export function registerRunnables(app: App, parts: Parts): void {
  registerOperation(app, BUILDER_OPERATIONS.listAgents, ({ caller, query }) =>
    listRunnables(parts, caller, 'agent', query),
  )
  registerOperation(app, BUILDER_OPERATIONS.listTeams, ({ caller, query }) =>
    listRunnables(parts, caller, 'team', query),
  )
  registerShared(app, parts, 'agent')
  registerShared(app, parts, 'team')
  registerOperation(app, BUILDER_OPERATIONS.setAgentStatus, ({ caller, params, body }) =>
    setAgentStatus(parts, caller, params.agentId, body.status),
  )
  registerOperation(app, BUILDER_OPERATIONS.deleteTeam, async ({ caller, params }) => {
    await deleteTeam(parts, caller, caller.actor, params.teamId)
    return null
  })
}

function registerShared(app: App, parts: Parts, kind: RunnableKind): void {
  const operations = SHARED[kind]
  const versionOf = (params: RunnableParams & { versionId: IdText<AnyVersionId> }) => ({
    kind,
    id: idOf(params),
    versionId: params.versionId,
  })
  registerOperation(app, operations.create, async ({ caller, body }, reply) => {
    const { value, created } = await createRunnable(parts, caller, kind, { config: {}, ...body })
    if (!created) reply.statusCode = 200
    return value
  })
  registerOperation(app, operations.get, ({ caller, params }) =>
    getDetails(parts, caller, kind, idOf(params)),
  )
  registerOperation(app, operations.update, ({ caller, params, body }) =>
    changeRunnable(parts, caller, kind, idOf(params), body),
  )
  registerOperation(app, operations.duplicate, ({ caller, params, body }) =>
    duplicateRunnable(parts, caller, kind, idOf(params), body),
  )
  registerOperation(app, operations.listVersions, ({ caller, params, query }) =>
    listVersions(parts, caller, { kind, id: idOf(params) }, query),
  )
  registerOperation(app, operations.getVersion, ({ caller, params }) =>
    getVersion(parts, caller, versionOf(params)),
  )
  registerOperation(app, operations.describeVersion, ({ caller, params, body }) =>
    describeVersion(parts, caller, versionOf(params), body),
  )
  registerOperation(app, operations.restoreVersion, ({ caller, params, body }) =>
    restoreRunnable(parts, caller, versionOf(params), body),
  )
}
