import type { StreamEvent } from '@troupe/contract'
import { onSignal, type Signal, type Signals, Wakeups } from '@troupe/durable-work'
import type { RunRecord, RunStore, RunTarget, StoredEvent } from '../ports/run-store.ts'
import type { Scope } from '../ports/scope.ts'
import { eventsOfRow } from '../stream/replay.ts'
import { finishedRun, runResult } from './run-result.ts'

const POLL_MS = 1_000
/** How long a log may lag behind the row of an ended run. */
const GRACE_MS = 3_000
/** The log's largest possible number; a caller may claim to have seen more. */
const LAST_SEQ = 2_147_483_647

/** Maximum number of events that a writer can have shown and then lost: it writes every 50 ms. */
const MOST_UNWRITTEN = 1_000

/**
 * The number after the reader's last one; a reader cannot have seen far beyond a log that ends at `last`, so
 * a claim to that is ignored.
 */
function numberAfter(seen: number, last: number): number {
  return (seen - last > MOST_UNWRITTEN ? last : seen) + 1
}

/** Dependencies of following a stream. */
export interface FollowDependencies {
  store: Pick<RunStore, 'eventsAfter' | 'find'>
  signals: Signals
  now: () => number
}

function isTerminal(event: StreamEvent): boolean {
  return event.event === 'RunCompleted' || event.event === 'RunError' || event.event === 'RunCancelled'
}

/**
 * The terminal event built from the row, for a log without one: its writer died first, or its texts were
 * erased.
 */
function endOf(run: RunRecord, name: string, seq: number, now: number): StreamEvent {
  const envelope = { runId: run.runId, seq, createdAt: Math.floor((run.completedAt ?? now) / 1000) }
  switch (run.status) {
    case 'completed':
      return {
        ...envelope,
        event: 'RunCompleted',
        result: runResult(finishedRun(run, name, run.includeMessages)),
      }
    case 'cancelled':
      return { ...envelope, event: 'RunCancelled', reason: 'user', content: run.content ?? '' }
    default:
      return {
        ...envelope,
        event: 'RunError',
        error: run.errorCode ?? 'upstream_error',
        message: run.errorMessage ?? 'The run ended without an answer.',
      }
  }
}

/** The terminal event of a log; null when it has none. */
function loggedEnd(log: readonly StoredEvent[]): StreamEvent | null {
  const last = log.at(-1)
  const [event] = last ? eventsOfRow(last, last.seq - 1) : []
  return event && isTerminal(event) ? event : null
}

/**
 * The events of a run with `seq > after`: the log first, then live until the terminal event, from any
 * process. Subscribes before it reads, so it misses no event; a lost notification costs at most one poll
 * interval. Ends early when `signal` fires.
 */
export async function* followRun(
  { store, signals, now }: FollowDependencies,
  run: { scope: Scope; target: RunTarget },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { runId } = run.target
  const isAbout = (told: Signal) =>
    (told.kind === 'run_cancelled' || told.kind === 'run_events') && told.runId === runId
  using wakeups = new Wakeups([onSignal(signals, isAbout)], signal)
  let seen = Math.min(after, LAST_SEQ)
  let endedSince: number | null = null
  let name: string | null = null
  let last = 0
  while (!signal.aborted) {
    wakeups.reading()
    for (const row of await store.eventsAfter(runId, seen)) {
      for (const event of eventsOfRow(row, seen)) {
        seen = event.seq
        yield event
        if (isTerminal(event)) return
      }
    }
    const record = await store.find(run.scope, run.target)
    if (!record) return
    if (record.status !== 'running' && record.status !== 'queued') {
      if (endedSince === null) {
        // The end may have been committed between the two reads: the log is read again.
        endedSince = now()
        continue
      }
      if (name === null) {
        const log = await store.eventsAfter(runId, 0)
        last = log.at(-1)?.seq ?? 0
        name = String(log[0]?.data.agentName ?? log[0]?.data.teamName ?? '')
        const end = loggedEnd(log)
        if (end && end.seq <= seen) {
          // A lost run's end may reuse the number of an event that was shown but never written, so the end
          // is sent again.
          if (end.seq < seen || record.status === 'failed') {
            yield seen - end.seq > MOST_UNWRITTEN ? end : { ...end, seq: seen + 1 }
          }
          return
        }
      }
      if (record.status === 'completed' || now() - endedSince > GRACE_MS) {
        yield endOf(record, name, numberAfter(seen, last), now())
        return
      }
    }
    await wakeups.wait(endedSince === null ? POLL_MS : POLL_MS / 10)
  }
}
