import type { RunKind } from '@troupe/agents/ports'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { agentPlayRequest, type PlayAgentParts } from '@troupe/operations/playground/play-agent'
import { teamPlayRequest } from '@troupe/operations/playground/play-team'
import { cancelRun, type RunPath } from '@troupe/operations/runs/cancel-run'
import type { Database } from '@troupe/storage'
import { lastEventId, type RunStreams } from '../v1/runs.ts'

type Parts = PlayAgentParts & { database: Pick<Database, 'runs'> }

/** The playground shows all details of a run by default. */
const DETAIL = 'full'

/** Runs of agents and teams started in the builder. */
export function registerPlayground(app: App, parts: Parts, streams: RunStreams): void {
  const { runs } = parts.database
  registerOperation(app, BUILDER_OPERATIONS.playAgent, async ({ caller, params, query, body }, reply) =>
    streams.start(reply, await agentPlayRequest(parts, caller, params.agentId, body), {
      detail: query.detail ?? DETAIL,
      cancelOnDisconnect: body.on_disconnect === 'cancel',
    }),
  )
  registerOperation(app, BUILDER_OPERATIONS.playTeam, async ({ caller, params, query, body }, reply) =>
    streams.start(reply, await teamPlayRequest(parts, caller, params.teamId, body), {
      detail: query.detail ?? DETAIL,
      cancelOnDisconnect: body.on_disconnect === 'cancel',
    }),
  )
  const pathOf = (kind: RunKind, entityId: string, runId: string): RunPath => ({
    ...{ kind, entityId, runId },
    isPlayground: true,
  })
  registerOperation(app, BUILDER_OPERATIONS.resumeAgentPlayground, async (call, reply) => {
    const { caller, request, params, query } = call
    const after = lastEventId(request, query.last_event_id)
    const path = pathOf('agent', params.agentId, params.runId)
    return streams.follow(reply, caller, path, { after, detail: query.detail ?? DETAIL })
  })
  registerOperation(app, BUILDER_OPERATIONS.resumeTeamPlayground, async (call, reply) => {
    const { caller, request, params, query } = call
    const after = lastEventId(request, query.last_event_id)
    const path = pathOf('team', params.teamId, params.runId)
    return streams.follow(reply, caller, path, { after, detail: query.detail ?? DETAIL })
  })
  registerOperation(app, BUILDER_OPERATIONS.cancelAgentPlayground, ({ caller, params }) =>
    cancelRun({ runs }, caller, pathOf('agent', params.agentId, params.runId)),
  )
  registerOperation(app, BUILDER_OPERATIONS.cancelTeamPlayground, ({ caller, params }) =>
    cancelRun({ runs }, caller, pathOf('team', params.teamId, params.runId)),
  )
}
