import type { RunnableKind } from '@troupe/agents/ports'
import type { IdText, RunId } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { lastEventId } from '@troupe/http/event-streams/last-event-id'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { type PlaygroundParts, playRequest } from '@troupe/operations/playground/play-runnable'
import { cancelRun, type RunPath } from '@troupe/operations/runs/cancel-run'
import type { Database } from '@troupe/storage'
import { idOf, type RunnableParams } from '../v1/runnable-params.ts'
import type { RunStreams } from '../v1/runs.ts'

type Parts = PlaygroundParts & { database: Pick<Database, 'runs'> }

/** The playground shows all details of a run by default. */
const DETAIL = 'full'

const TRIALS = {
  agent: {
    play: BUILDER_OPERATIONS.playAgent,
    resume: BUILDER_OPERATIONS.resumeAgentPlayground,
    cancel: BUILDER_OPERATIONS.cancelAgentPlayground,
  },
  team: {
    play: BUILDER_OPERATIONS.playTeam,
    resume: BUILDER_OPERATIONS.resumeTeamPlayground,
    cancel: BUILDER_OPERATIONS.cancelTeamPlayground,
  },
} as const

/** Runs of agents or teams started in the builder. */
export function registerPlayground(app: App, kind: RunnableKind, parts: Parts, streams: RunStreams): void {
  const { runs } = parts.database
  const { play, resume, cancel } = TRIALS[kind]
  const pathOf = (params: RunnableParams & { runId: IdText<RunId> }): RunPath => ({
    ...{ kind, entityId: idOf(params), runId: params.runId },
    isPlayground: true,
  })
  registerOperation(app, play, async ({ caller, params, query, body }, reply) =>
    streams.start(reply, await playRequest(parts, caller, { kind, id: idOf(params) }, body), {
      detail: query.detail ?? DETAIL,
      cancelOnDisconnect: body.on_disconnect === 'cancel',
    }),
  )
  registerOperation(app, resume, async ({ caller, request, params, query }, reply) => {
    const after = lastEventId(request, query.last_event_id)
    return streams.follow(reply, caller, pathOf(params), { after, detail: query.detail ?? DETAIL })
  })
  registerOperation(app, cancel, ({ caller, params }) => cancelRun({ runs }, caller, pathOf(params)))
}
