import { type CalledOperation, createSessionStreams, type SessionStreams } from '@troupe/client'
import { OPERATION_TABLE } from '../client/operation-rows.ts'
import type { OperationName } from '../client/operation-types.ts'
import { noteSignedOut } from '../client/server-signals.ts'

/** The stream of a run, or why it could not be opened. */
export type OpenedRun = Awaited<ReturnType<SessionStreams['start']>>

let streams: SessionStreams | null = null
const sessionStreams = () => {
  streams ??= createSessionStreams(window.location.origin)
  return streams
}

export interface RunToStart {
  /** The operation that starts the run, and the one that continues its stream after a lost connection. */
  start: OperationName
  resume: OperationName
  /** Path parameters of `start` in their order; the run's id is added for `resume`. */
  ids: readonly string[]
  body: object
  signal?: AbortSignal
}

/** Starts a run and opens its stream. Lost connections are continued where they broke. Never throws. */
export async function startRunStream({ start, resume, ids, body, signal }: RunToStart): Promise<OpenedRun> {
  const options = { detail: 'full', ...(signal ? { signal } : {}) }
  return noted(await sessionStreams().start(called(start), called(resume), { ids, body, options }))
}

/**
 * Follows a run that exists, from its first event or from the one after `startAfter`. `ids` are the path parameters of
 * `resume` in their order, the run's last.
 */
export async function followRunStream(
  resume: OperationName,
  ids: readonly string[],
  { startAfter = 0, signal }: { startAfter?: number; signal?: AbortSignal } = {},
): Promise<OpenedRun> {
  const options = { detail: 'full', ...(signal ? { signal } : {}) }
  return noted(await sessionStreams().resume(called(resume), { ids, startAfter, options }))
}

function called(name: OperationName): CalledOperation {
  const row = OPERATION_TABLE[name]
  if (!row?.isStream) throw new TypeError(`${name} is not a stream`)
  const { method, path, access, errors } = row
  return { method, path, access, errors, success: { type: 'text/event-stream' } }
}

function noted(result: OpenedRun): OpenedRun {
  if (!result.ok && result.error.code === 'unauthorized') noteSignedOut()
  return result
}
