import { DomainError, OPERATIONS, type StreamDetail, type StreamEvent } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { type AgentRunner, isShown } from '@troupe/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { EventStream } from '../../http/event-stream.ts'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { RunCall } from '../../operations/runs/agent-run-request.ts'
import { cancelAgentRun } from '../../operations/runs/cancel-agent-run.ts'
import { resumeAgentStream } from '../../operations/runs/resume-agent-stream.ts'
import { runAgent } from '../../operations/runs/run-agent.ts'
import { runAgentStream } from '../../operations/runs/run-agent-stream.ts'

/** What the routes of agent runs use. */
export interface AgentRunRoutes {
  runner: AgentRunner
  database: Pick<Database, 'runs' | 'signals'>
  clock: Clock
}

/** Answers with an event stream from here on; Fastify hands the response over, with the headers set so far. */
function openStream(reply: FastifyReply, runId: string): EventStream {
  reply.hijack()
  return new EventStream(reply.raw, { ...reply.getHeaders(), 'x-run-id': runId })
}

/** `Last-Event-ID` (what browsers send) before `?last_event_id=`; 0 when neither is there. */
function lastEventId(request: FastifyRequest, fromQuery: number | undefined): number {
  const header = request.headers['last-event-id']
  if (header === undefined) return fromQuery ?? 0
  const id = Number(header)
  if (Number.isSafeInteger(id) && id >= 0) return id
  const errors = [{ path: 'Last-Event-ID', message: 'must be the id of an event' }]
  throw new DomainError('validation_error', 'The request is not valid.', { errors })
}

/** Registers the routes that run agents. */
export function registerAgentRuns(app: App, { runner, database, clock }: AgentRunRoutes): void {
  const { runs, signals } = database
  const closing = new AbortController()
  // Readers of other processes' runs would keep the server open; they resume elsewhere.
  app.addHook('preClose', async () => closing.abort())

  const runCall = (call: {
    request: FastifyRequest
    principal: RunCall['principal']
    params: { agentId: string }
    headers: { 'idempotency-key'?: string }
  }): RunCall => ({
    principal: call.principal,
    agentId: call.params.agentId,
    acceptedAt: clock.now(),
    path: call.request.url.split('?', 1)[0] ?? '',
    idempotencyKey: call.headers['idempotency-key'] ?? null,
  })

  /** Follows a run's log until its end or until the reader goes. */
  const follow = async (
    reply: FastifyReply,
    target: { scope: RunCall['principal']; agentId: string; runId: string },
    after: number,
    detail: StreamDetail,
  ): Promise<undefined> => {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, closing.signal])
    const events = await resumeAgentStream({ runs, signals, now: () => clock.now() }, target, after, signal)
    const stream = openStream(reply, target.runId)
    reply.raw.once('close', () => gone.abort())
    if (stream.isGone) gone.abort()
    try {
      for await (const event of events) {
        if (isShown(event, detail)) stream.send(event)
        await stream.drained()
      }
    } catch (err) {
      // The response has begun: all that is left is to end it, and the reader resumes.
      reply.log.error({ err, runId: target.runId }, 'following a run failed')
    } finally {
      stream.end()
    }
  }

  registerOperation(app, OPERATIONS.runAgent, async (call) => runAgent({ runner }, runCall(call), call.body))

  registerOperation(app, OPERATIONS.runAgentStream, async (call, reply) => {
    const detail = call.query.detail ?? 'standard'
    let stream: EventStream | null = null
    const early: StreamEvent[] = []
    const started = await runAgentStream({ runner }, runCall(call), call.body, (event) => {
      if (!isShown(event, detail)) return
      if (stream) stream.send(event)
      else early.push(event)
    })
    if (started.kind === 'attached') {
      const target = { scope: call.principal, agentId: call.params.agentId, runId: started.runId }
      return follow(reply, target, 0, detail)
    }
    const open = openStream(reply, started.runId)
    for (const event of early) open.send(event)
    stream = open
    if (call.body.on_disconnect === 'cancel') {
      reply.raw.once('close', () => started.run.disconnect())
      // A reader who left while the row was being written has closed before anybody listened.
      if (open.isGone) started.run.disconnect()
    }
    void started.run.executed.then(() => open.end())
  })

  registerOperation(app, OPERATIONS.resumeAgentStream, async (call, reply) => {
    const { agentId, runId } = call.params
    const after = lastEventId(call.request, call.query.last_event_id)
    return follow(reply, { scope: call.principal, agentId, runId }, after, call.query.detail ?? 'standard')
  })

  registerOperation(app, OPERATIONS.cancelAgentRun, async (call) =>
    cancelAgentRun({ runs }, call.principal, call.params.agentId, call.params.runId),
  )
}
