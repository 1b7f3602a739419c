import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { lastEventId } from '@troupe/http/event-streams/last-event-id'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { type RerunParts, rerun } from '@troupe/operations/playground/rerun'
import {
  type ChangeRunParts,
  cancelObservedRun,
  pauseObservedRun,
  resumeObservedRun,
} from '@troupe/operations/runs/change-run'
import { getRun } from '@troupe/operations/runs/get-run'
import { getRunPrompt } from '@troupe/operations/runs/get-run-prompt'
import { listRunCauses } from '@troupe/operations/runs/list-run-causes'
import { listRuns } from '@troupe/operations/runs/list-runs'
import { getRunNode, listRunNodes, previewRunNodes } from '@troupe/operations/runs/read-nodes'
import { countRunsOverTime } from '@troupe/operations/runs/run-histogram'
import { requireStream } from '@troupe/operations/runs/stream-run'
import { getObservedSession, listObservedSessions } from '@troupe/operations/sessions/sessions'
import { listVoiceSessions } from '@troupe/operations/voice-sessions/list-voice-sessions'
import type { Context } from '../../wiring/context.ts'
import type { RunStreams } from '../v1/runs.ts'

/** Dependencies of the routes. */
export type ObservedRunContext = Pick<Context, 'database' | 'workflows' | 'runs' | 'clock' | 'newId' | 'log'>

/** Runs of every kind: their events, and the actions on them. */
export function registerObservedRuns(app: App, context: ObservedRunContext, streams: RunStreams): void {
  const { database, workflows, runs, clock, newId, log } = context
  const traces = { database, graphs: workflows.graphs }
  const changes: ChangeRunParts & RerunParts = {
    database,
    runner: runs.runner,
    graphs: workflows.graphs,
    workflows: workflows.runner,
    send: workflows.send,
    newId,
    onUnaudited: (err, runId) => log.error({ err, runId }, 'the audit row of a repeated run is missing'),
    now: () => clock.now(),
  }
  registerOperation(app, BUILDER_OPERATIONS.listRuns, ({ caller, query }) =>
    listRuns(database, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getRun, ({ caller, params }) =>
    getRun(traces, caller, params.runId),
  )
  registerOperation(app, BUILDER_OPERATIONS.getRunPrompt, ({ caller, params }) =>
    getRunPrompt(database, caller, params),
  )
  registerOperation(app, BUILDER_OPERATIONS.listRunNodes, ({ caller, params, query }) =>
    listRunNodes(traces, caller, params.runId, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getRunNode, ({ caller, params, query }) =>
    getRunNode(traces, caller, { ...params, path: query.path ?? '' }),
  )
  registerOperation(app, BUILDER_OPERATIONS.previewRunNodes, ({ caller, params, query }) =>
    previewRunNodes(traces, caller, params.runId, query),
  )
  registerOperation(
    app,
    BUILDER_OPERATIONS.streamRun,
    async ({ caller, params, query, request }, reply): Promise<undefined> => {
      const after = lastEventId(request, query.last_event_id)
      const path = await requireStream(database, caller, params.runId)
      return streams.follow(reply, caller, path, { after, detail: query.detail })
    },
  )
  registerOperation(app, BUILDER_OPERATIONS.cancelRun, ({ caller, params }) =>
    cancelObservedRun(changes, caller, params.runId),
  )
  registerOperation(app, BUILDER_OPERATIONS.pauseRun, ({ caller, params }) =>
    pauseObservedRun(changes, caller, params.runId),
  )
  registerOperation(app, BUILDER_OPERATIONS.resumeRun, ({ caller, params }) =>
    resumeObservedRun(changes, caller, params.runId),
  )
  registerOperation(app, BUILDER_OPERATIONS.rerun, ({ caller, params, body }) =>
    rerun(changes, caller, params.runId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.listRunCauses, ({ caller, query }) =>
    listRunCauses(database, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.runHistogram, ({ caller, query }) =>
    countRunsOverTime(database, caller, query, clock.now()),
  )
  registerOperation(app, BUILDER_OPERATIONS.listSessions, ({ caller, query }) =>
    listObservedSessions(database, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getRunSession, ({ caller, params, query }) =>
    getObservedSession(database, caller, params.id, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.listVoiceSessions, ({ caller, query }) =>
    listVoiceSessions(database, caller, query),
  )
}
