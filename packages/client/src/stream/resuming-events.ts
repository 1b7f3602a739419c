import { abortScope } from '../call/abort-scope.ts'
import { type Failure, failure } from '../call/result.ts'
import { brokenRequest } from '../call/transport.ts'
import { TroupeError } from '../call/troupe-error.ts'
import type { Backoff } from './backoff.ts'
import type { OpenStream } from './open-stream.ts'
import { type AnyRunEvent, isKnown, isTerminal, runEventOf } from './run-events.ts'
import { serverSentEvents } from './server-sent-events.ts'

/** The dependencies of a resuming stream. */
export interface Resuming {
  /** Reconnects; the server replays the events after `lastSeq`. */
  reopen(lastSeq: number): Promise<OpenStream | Failure>
  /** Ended by the caller's signal or by closing the stream. */
  signal: AbortSignal
  backoff: Backoff
  /** Milliseconds without a byte (the server pings every 15 s) after which a connection counts as broken. */
  idleTimeoutMs: number
  onReconnect?: ((lastSeq: number) => void) | undefined
}

/** Failures worth a retry. */
function isPassing(failed: Failure): boolean {
  const { code } = failed.error
  if (code === 'network_error' || code === 'timeout') return true
  const status = failed.status ?? 0
  return status === 408 || status === 429 || status >= 500 || (code === 'invalid_response' && status < 400)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const scope = abortScope(signal, ms)
  await new Promise<void>((resolve) => {
    if (scope.signal.aborted) resolve()
    else scope.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  scope.release()
}

/**
 * The events of a run, each once and in order, up to its terminal event, across any number of broken
 * connections. Throws `TroupeError` when the run cannot be read to its end. Leaving the loop closes the
 * connection.
 *
 * Invariant: `lastSeq` is the number of the last event read, and only later events are yielded, so events
 * repeated by a new connection are skipped.
 */
export async function* resumingEvents(
  first: OpenStream,
  startAfter: number,
  resuming: Resuming,
): AsyncGenerator<AnyRunEvent, void> {
  let connection: OpenStream | Failure = first
  let lastSeq = startAfter
  for (;;) {
    let broken: Failure
    if (connection.ok) {
      const { body, scope, facts } = connection
      scope.restart(resuming.idleTimeoutMs)
      try {
        const messages = serverSentEvents(body, {
          onBytes: () => scope.restart(resuming.idleTimeoutMs),
          onRetry: resuming.backoff.base,
        })
        broken = failure('network_error', 'The connection ended before the run did.', facts)
        for await (const message of messages) {
          const event = runEventOf(message.data)
          if (event === null) {
            broken = failure('invalid_response', 'The stream contains data that is not a run event.', facts)
            break
          }
          if (event.seq <= lastSeq) continue
          lastSeq = event.seq
          resuming.backoff.reset()
          // Time that the reader spends between events does not count as silence of the server.
          scope.restart(Number.POSITIVE_INFINITY)
          if (isKnown(event)) yield event
          if (isTerminal(event)) return
          scope.restart(resuming.idleTimeoutMs)
        }
      } catch (error) {
        broken = brokenRequest(error, scope, facts)
      } finally {
        scope.release()
      }
    } else {
      broken = connection
      if (!isPassing(broken)) throw new TroupeError(broken)
    }
    const waitMs = resuming.signal.aborted ? 0 : resuming.backoff.next((broken.error.retryAfter ?? 0) * 1_000)
    if (waitMs === null) throw new TroupeError(broken)
    await pause(waitMs, resuming.signal)
    if (resuming.signal.aborted) throw new TroupeError(failure('aborted', 'The caller aborted the stream.'))
    resuming.onReconnect?.(lastSeq)
    connection = await resuming.reopen(lastSeq)
  }
}
