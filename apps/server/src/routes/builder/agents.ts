import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import {
  type AgentChanges,
  changeAgent,
  createAgentOnce,
  duplicateAgent,
  restoreAgentVersion,
} from '@troupe/operations/agents/change-agents'
import { getAgentDetails, listAgentSummaries } from '@troupe/operations/agents/read-agents'
import { setAgentStatus } from '@troupe/operations/agents/set-agent-status'
import { describeVersion } from '@troupe/operations/versions/describe-version'
import { getVersion, listVersions } from '@troupe/operations/versions/read-versions'
import type { Context } from '../../wiring/context.ts'

type Parts = AgentChanges & Pick<Context, 'database'>

/** Agents with their versions. */
export function registerBuilderAgents(app: App, parts: Parts): void {
  registerOperation(app, BUILDER_OPERATIONS.listAgents, ({ caller, query }) =>
    listAgentSummaries(parts, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.createAgent, async ({ caller, body }, reply) => {
    const { value, created } = await createAgentOnce(parts, caller, body)
    if (!created) reply.statusCode = 200
    return value
  })
  registerOperation(app, BUILDER_OPERATIONS.getAgent, ({ caller, params }) =>
    getAgentDetails(parts, caller, params.agentId),
  )
  registerOperation(app, BUILDER_OPERATIONS.updateAgent, ({ caller, params, body }) =>
    changeAgent(parts, caller, params.agentId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.setAgentStatus, ({ caller, params, body }) =>
    setAgentStatus(parts, caller, params.agentId, body.status),
  )
  registerOperation(app, BUILDER_OPERATIONS.duplicateAgent, ({ caller, params, body }) =>
    duplicateAgent(parts, caller, params.agentId, body),
  )
  registerVersions(app, parts)
}

function registerVersions(app: App, parts: Parts): void {
  const kind = 'agent'
  registerOperation(app, BUILDER_OPERATIONS.listAgentVersions, ({ caller, params, query }) =>
    listVersions(parts, caller, { kind, id: params.agentId }, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getAgentVersion, ({ caller, params }) =>
    getVersion(parts, caller, { kind, id: params.agentId, versionId: params.versionId }),
  )
  registerOperation(app, BUILDER_OPERATIONS.describeAgentVersion, ({ caller, params, body }) =>
    describeVersion(parts, caller, { kind, id: params.agentId, versionId: params.versionId }, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.restoreAgentVersion, ({ caller, params, body }) =>
    restoreAgentVersion(parts, caller, params, body),
  )
}
