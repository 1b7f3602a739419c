import { type AcceptedAgentJob, type AgentJob, type AgentRunResult, OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { acceptedJob } from '@troupe/operations/runs/accepted-job'
import { cancelRun } from '@troupe/operations/runs/cancel-run'
import { cancelJob, getJob } from '@troupe/operations/runs/jobs'
import { runRequest } from '@troupe/operations/runs/run-call'
import { lastEventId, type RunRoutes, type RunStreams, runCallOf } from './runs.ts'

/** Registers the routes that run agents. */
export function registerAgentRuns(
  app: App,
  { runner, database, clock }: RunRoutes,
  streams: RunStreams,
): void {
  const { runs } = database
  const callOf = (call: Parameters<typeof runCallOf>[3] & { params: { agentId: string } }) =>
    runCallOf(clock, 'agent', call.params.agentId, call)

  registerOperation(app, OPERATIONS.runAgent, async (call) => {
    const result = await runner.run(runRequest(callOf(call), call.body, 'api_sync'))
    return result as AgentRunResult
  })

  registerOperation(app, OPERATIONS.runAgentStream, async (call, reply) =>
    streams.start(reply, runRequest(callOf(call), call.body, 'api_stream'), {
      detail: call.query.detail,
      cancelOnDisconnect: call.body.on_disconnect === 'cancel',
    }),
  )

  registerOperation(app, OPERATIONS.resumeAgentStream, async (call, reply) => {
    const { agentId, runId } = call.params
    const after = lastEventId(call.request, call.query.last_event_id)
    const path = { kind: 'agent' as const, entityId: agentId, runId, isPlayground: false }
    return streams.follow(reply, call.principal, path, { after, detail: call.query.detail })
  })

  registerOperation(app, OPERATIONS.cancelAgentRun, async ({ principal, params }) =>
    cancelRun({ runs }, principal, {
      kind: 'agent',
      entityId: params.agentId,
      runId: params.runId,
      isPlayground: false,
    }),
  )

  registerOperation(app, OPERATIONS.runAgentAsync, async (call) => {
    const request = runRequest(callOf(call), call.body, 'api_async')
    return acceptedJob(request, await runner.enqueue(request)) as AcceptedAgentJob
  })

  registerOperation(app, OPERATIONS.getAgentJob, async ({ principal, params }) => {
    const job = await getJob({ runs }, principal, 'agent', params.jobId)
    return job as AgentJob
  })

  registerOperation(app, OPERATIONS.cancelAgentJob, async ({ principal, params }) =>
    cancelJob({ runs }, principal, 'agent', params.jobId),
  )
}
