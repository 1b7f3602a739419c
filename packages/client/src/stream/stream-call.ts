import type { BodyOf, IdText, Operation, QueryOf, ResultOf, RunId } from '@troupe/contract'
import { optionHeaders, type PathArgs } from '../call/call.ts'
import type { RunOptions } from '../call/options.ts'
import { type CalledOperation, pathNames } from '../call/request.ts'
import { type CodeOf, type Failure, failure, type Result } from '../call/result.ts'
import type { Transport } from '../call/transport.ts'
import { optionsAt, typedCall } from '../call/typed-call.ts'
import { backoff } from './backoff.ts'
import { type OpenStream, openStream } from './open-stream.ts'
import { resumingEvents } from './resuming-events.ts'
import type { AnyRunEvent } from './run-events.ts'
import { createRunStream, type RunStream } from './run-stream.ts'

/** The options for reading a stream. `timeoutMs` bounds each connection attempt, never the run. */
export interface ReadOptions extends RunOptions {
  /** Consecutive attempts without a new event before giving up; 6 by default, 0 for none. */
  reconnects?: number
  /** Milliseconds without a byte after which the connection counts as broken; 45 000 by default. */
  idleTimeoutMs?: number
  /** Called before each reconnect with the sequence number of the last event read. */
  onReconnect?: (lastSeq: number) => void
}

type Detail<O extends Operation> = Pick<QueryOf<O>, keyof QueryOf<O> & 'detail'>
type EventOf<O extends Operation> = ResultOf<O> & AnyRunEvent

/** Starts a run and reads its stream. */
export type StartStream<O extends Operation> = (
  ...args: [...ids: PathArgs<O['path']>, body: BodyOf<O>, options?: ReadOptions & Detail<O>]
) => Promise<Result<RunStream<EventOf<O>>, CodeOf<O>>>

/** Reads an existing run, from the event after number `lastEventId` (0 by default: from the first). */
export type ResumeStream<O extends Operation> = (
  ...args: [
    ...ids: PathArgs<O['path']>,
    options?: Omit<ReadOptions, 'idempotencyKey'> & Detail<O> & { lastEventId?: number },
  ]
) => Promise<Result<RunStream<EventOf<O>>, CodeOf<O>>>

const RECONNECTS = 6
const IDLE_TIMEOUT_MS = 45_000

/** The run to read, and the position to start from. */
export interface RunReading {
  /** The ids of the resume operation; the last is the run id. */
  ids: readonly unknown[]
  startAfter: number
  options: ReadOptions & { detail?: unknown }
}

function reopener(transport: Transport, resume: CalledOperation, reading: RunReading, signal: AbortSignal) {
  const { detail, timeoutMs } = reading.options
  return (lastSeq: number): Promise<OpenStream | Failure> =>
    openStream(
      transport,
      {
        operation: resume,
        ids: reading.ids,
        query: { detail },
        headers: { 'last-event-id': String(lastSeq) },
      },
      { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    )
}

/** The lifetime of a stream: ended by the caller's signal or by `end`. */
function streamLife(outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  const end = () => {
    outer?.removeEventListener('abort', abort)
    abort()
  }
  return { signal: controller.signal, end }
}

async function follow(
  transport: Transport,
  resume: CalledOperation,
  life: ReturnType<typeof streamLife>,
  opened: OpenStream | Failure,
  readingOf: (runId: IdText<RunId>) => RunReading,
): Promise<Result<RunStream<AnyRunEvent>>> {
  if (!opened.ok) {
    life.end()
    return opened
  }
  const { facts, response, scope } = opened
  const runId = response.headers.get('x-run-id')
  const { options, startAfter, ids } = readingOf(runId ?? '')
  const last = ids.at(-1)
  if (typeof last !== 'string' || last === '') {
    scope.release()
    life.end()
    return failure('invalid_response', 'The stream does not name its run (X-Run-Id).', facts)
  }
  const events = resumingEvents(opened, startAfter, {
    reopen: reopener(transport, resume, { ids, startAfter, options }, life.signal),
    signal: life.signal,
    backoff: backoff(options.reconnects ?? RECONNECTS),
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    onReconnect: options.onReconnect,
  })
  return { ok: true, data: createRunStream(last, events, life.end), ...facts }
}

/** A request that starts a run. */
export interface StartRequest {
  /** In path order. */
  ids: readonly unknown[]
  body: unknown
  options: ReadOptions & { detail?: unknown }
}

/** Starts a run with one operation and resumes broken connections with the other, whose last id is the run's. */
export async function openNewRun(
  transport: Transport,
  start: CalledOperation,
  resume: CalledOperation,
  { ids, body, options }: StartRequest,
): Promise<Result<RunStream<AnyRunEvent>>> {
  const life = streamLife(options.signal)
  const { detail } = options
  const opened = await openStream(
    transport,
    { operation: start, ids, query: { detail }, body, headers: optionHeaders(options) },
    { ...options, signal: life.signal },
  )
  return follow(transport, resume, life, opened, (runId) => ({
    ids: [...ids, runId],
    startAfter: 0,
    options,
  }))
}

/** Reads an existing run, from the event after `startAfter`. */
export async function openKnownRun(
  transport: Transport,
  resume: CalledOperation,
  reading: RunReading,
): Promise<Result<RunStream<AnyRunEvent>>> {
  const life = streamLife(reading.options.signal)
  const opened = await reopener(transport, resume, reading, life.signal)(reading.startAfter)
  return follow(transport, resume, life, opened, () => reading)
}

/**
 * Creates the function that starts a run with one operation and resumes broken connections with the other.
 */
export function startStream<const O extends Operation, const R extends Operation>(
  transport: Transport,
  start: O,
  resume: R,
): StartStream<O> {
  const count = pathNames(start.path).length
  return typedCall<StartStream<O>>(async (...args) =>
    openNewRun(transport, start, resume, {
      ids: args.slice(0, count),
      body: args[count],
      options: optionsAt<RunReading['options']>(args, count + 1),
    }),
  )
}

/** Creates the function that reads an existing run. */
export function resumeStreamCall<const O extends Operation>(
  transport: Transport,
  resume: O,
): ResumeStream<O> {
  const count = pathNames(resume.path).length
  return typedCall<ResumeStream<O>>(async (...args) => {
    const options = optionsAt<RunReading['options'] & { lastEventId: number }>(args, count)
    return openKnownRun(transport, resume, {
      ids: args.slice(0, count),
      startAfter: options.lastEventId ?? 0,
      options,
    })
  })
}
