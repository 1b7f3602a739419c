import { isShown, type Runner, type RunRequest } from '@troupe/agents'
import type { Clock, RunnableKind } from '@troupe/agents/ports'
import type { IdText, RunId, StreamDetail, StreamEvent } from '@troupe/contract'
import { onClosed } from '@troupe/http/connections/on-closed'
import { type EventFormat, EventStream } from '@troupe/http/event-streams/event-stream'
import type { App } from '@troupe/http/server-types'
import type { Principal } from '@troupe/operations/access/principal'
import type { RunPath } from '@troupe/operations/runs/cancel-run'
import { resumeStream } from '@troupe/operations/runs/resume-stream'
import type { RunCall } from '@troupe/operations/runs/run-call'
import type { Database } from '@troupe/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Dependencies of the run routes. */
export interface RunRoutes {
  runner: Runner
  database: Pick<Database, 'runs' | 'signals'>
  clock: Clock
}

/** Switches the response to an event stream; Fastify releases it, with the headers set so far. */
function openStream(reply: FastifyReply, runId: IdText<RunId>, format?: EventFormat): EventStream {
  reply.hijack()
  return new EventStream(reply.raw, { ...reply.getHeaders(), 'x-run-id': runId }, format)
}

/** The details and format of a run for a reader; by default as in this API. */
interface Shown {
  detail: StreamDetail | undefined
  format?: EventFormat
}

/** The properties of a run request other than its body. */
export function runCallOf(
  clock: Clock,
  kind: RunnableKind,
  entityId: string,
  call: {
    request: FastifyRequest
    principal: Principal
    headers: { 'idempotency-key'?: string }
  },
): RunCall {
  return {
    principal: call.principal,
    kind,
    entityId,
    acceptedAt: clock.now(),
    path: call.request.url.split('?', 1)[0] ?? '',
    idempotencyKey: call.headers['idempotency-key'] ?? null,
  }
}

/** Streams of runs over HTTP: started here, or followed from the log. */
export class RunStreams {
  readonly #routes: RunRoutes
  readonly #closing = new AbortController()

  constructor(app: App, routes: RunRoutes) {
    this.#routes = routes
    // Readers of other processes' runs would delay the shutdown; they resume on another process.
    app.addHook('preClose', async () => this.#closing.abort())
  }

  /** Starts a streaming run and sends its events in the tick of their arrival. */
  async start(
    reply: FastifyReply,
    request: RunRequest,
    { detail = 'standard', format, cancelOnDisconnect }: Shown & { cancelOnDisconnect: boolean },
  ): Promise<undefined> {
    let stream: EventStream | null = null
    const early: StreamEvent[] = []
    const started = await this.#routes.runner.stream(request, (event) => {
      if (!isShown(event, detail)) return
      if (stream) stream.send(event)
      else early.push(event)
    })
    if (started.kind === 'attached') {
      const { kind, entityId, source } = request
      const path = { kind, entityId, runId: started.runId, isPlayground: source === 'playground' }
      return this.follow(reply, request.scope, path, { after: 0, detail, ...(format && { format }) })
    }
    const open = openStream(reply, started.runId, format)
    for (const event of early) open.send(event)
    stream = open
    if (cancelOnDisconnect) {
      // Also for a reader who disconnected while the row was being written.
      onClosed(reply.raw, () => started.run.disconnect())
    }
    void started.run.executed.then(() => open.end())
  }

  /** Follows a run's log until its end or until the reader disconnects. */
  async follow(
    reply: FastifyReply,
    scope: RunRequest['scope'],
    path: RunPath,
    { after, detail = 'standard', format }: Shown & { after: number },
  ): Promise<undefined> {
    const { database, clock } = this.#routes
    const { runs, signals } = database
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, this.#closing.signal])
    const events = await resumeStream({ runs, signals, now: () => clock.now() }, scope, path, after, signal)
    const stream = openStream(reply, path.runId, format)
    onClosed(reply.raw, () => gone.abort())
    try {
      for await (const event of events) {
        if (isShown(event, detail)) stream.send(event)
        await stream.drained()
      }
    } catch (err) {
      // The response has begun, so it can only be ended; the reader resumes.
      reply.log.error({ err, runId: path.runId }, 'following a run failed')
    } finally {
      stream.end()
    }
  }
}
