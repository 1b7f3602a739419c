import type { RunnableKind } from '@troupe/agents/ports'
import { type IdText, OPERATIONS, type RunId } from '@troupe/contract'
import { lastEventId } from '@troupe/http/event-streams/last-event-id'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { acceptedJob } from '@troupe/operations/runs/accepted-job'
import { cancelRun } from '@troupe/operations/runs/cancel-run'
import { cancelJob, getJob } from '@troupe/operations/runs/jobs'
import { runRequest } from '@troupe/operations/runs/run-call'
import { idOf, type RunnableParams } from './runnable-params.ts'
import { type RunRoutes, type RunStreams, runCallOf } from './runs.ts'

/** The operations that run an agent or a team. */
const RUNS = {
  agent: {
    run: OPERATIONS.runAgent,
    stream: OPERATIONS.runAgentStream,
    resume: OPERATIONS.resumeAgentStream,
    cancel: OPERATIONS.cancelAgentRun,
    enqueue: OPERATIONS.runAgentAsync,
    getJob: OPERATIONS.getAgentJob,
    cancelJob: OPERATIONS.cancelAgentJob,
  },
  team: {
    run: OPERATIONS.runTeamSync,
    stream: OPERATIONS.runTeamStream,
    resume: OPERATIONS.resumeTeamStream,
    cancel: OPERATIONS.cancelTeamRun,
    enqueue: OPERATIONS.runTeamAsync,
    getJob: OPERATIONS.getTeamJob,
    cancelJob: OPERATIONS.cancelTeamJob,
  },
} as const

/** Registers the routes that run agents or teams. */
export function registerRunnableRuns(
  app: App,
  kind: RunnableKind,
  { runner, database, clock }: RunRoutes,
  streams: RunStreams,
): void {
  const { runs } = database
  const operations = RUNS[kind]
  const callOf = (call: Parameters<typeof runCallOf>[3] & { params: RunnableParams }) =>
    runCallOf(clock, kind, idOf(call.params), call)
  const pathOf = (params: RunnableParams & { runId: IdText<RunId> }) => ({
    ...{ kind, entityId: idOf(params), runId: params.runId },
    isPlayground: false,
  })

  registerOperation(app, operations.run, (call) =>
    runner.run(runRequest(callOf(call), call.body, 'api_sync')),
  )
  registerOperation(app, operations.stream, (call, reply) =>
    streams.start(reply, runRequest(callOf(call), call.body, 'api_stream'), {
      detail: call.query.detail,
      cancelOnDisconnect: call.body.on_disconnect === 'cancel',
    }),
  )
  registerOperation(app, operations.resume, async ({ principal, request, params, query }, reply) => {
    const after = lastEventId(request, query.last_event_id)
    return streams.follow(reply, principal, pathOf(params), { after, detail: query.detail })
  })
  registerOperation(app, operations.cancel, ({ principal, params }) =>
    cancelRun({ runs }, principal, pathOf(params)),
  )
  registerOperation(app, operations.enqueue, async (call) => {
    const request = runRequest(callOf(call), call.body, 'api_async')
    return acceptedJob(request, await runner.enqueue(request))
  })
  registerOperation(app, operations.getJob, ({ principal, params }) =>
    getJob({ runs }, principal, kind, params.jobId),
  )
  registerOperation(app, operations.cancelJob, ({ principal, params }) =>
    cancelJob({ runs }, principal, kind, params.jobId),
  )
}
