import { type AcceptedTeamJob, OPERATIONS, type TeamJob, type TeamRunResult } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { acceptedJob } from '@troupe/operations/runs/accepted-job'
import { cancelRun } from '@troupe/operations/runs/cancel-run'
import { cancelJob, getJob } from '@troupe/operations/runs/jobs'
import { runRequest } from '@troupe/operations/runs/run-call'
import { lastEventId, type RunRoutes, type RunStreams, runCallOf } from './runs.ts'

/** Registers the routes that run teams. */
export function registerTeamRuns(
  app: App,
  { runner, database, clock }: RunRoutes,
  streams: RunStreams,
): void {
  const { runs } = database
  const callOf = (call: Parameters<typeof runCallOf>[3] & { params: { teamId: string } }) =>
    runCallOf(clock, 'team', call.params.teamId, call)

  registerOperation(app, OPERATIONS.runTeamSync, async (call) => {
    const result = await runner.run(runRequest(callOf(call), call.body, 'api_sync'))
    return result as TeamRunResult
  })

  registerOperation(app, OPERATIONS.runTeamStream, async (call, reply) =>
    streams.start(reply, runRequest(callOf(call), call.body, 'api_stream'), {
      detail: call.query.detail,
      cancelOnDisconnect: call.body.on_disconnect === 'cancel',
    }),
  )

  registerOperation(app, OPERATIONS.resumeTeamStream, async (call, reply) => {
    const { teamId, runId } = call.params
    const after = lastEventId(call.request, call.query.last_event_id)
    const path = { kind: 'team' as const, entityId: teamId, runId, isPlayground: false }
    return streams.follow(reply, call.principal, path, { after, detail: call.query.detail })
  })

  registerOperation(app, OPERATIONS.cancelTeamRun, async ({ principal, params }) =>
    cancelRun({ runs }, principal, {
      kind: 'team',
      entityId: params.teamId,
      runId: params.runId,
      isPlayground: false,
    }),
  )

  registerOperation(app, OPERATIONS.runTeamAsync, async (call) => {
    const request = runRequest(callOf(call), call.body, 'api_async')
    return acceptedJob(request, await runner.enqueue(request)) as AcceptedTeamJob
  })

  registerOperation(app, OPERATIONS.getTeamJob, async ({ principal, params }) => {
    const job = await getJob({ runs }, principal, 'team', params.jobId)
    return job as TeamJob
  })

  registerOperation(app, OPERATIONS.cancelTeamJob, async ({ principal, params }) =>
    cancelJob({ runs }, principal, 'team', params.jobId),
  )
}
