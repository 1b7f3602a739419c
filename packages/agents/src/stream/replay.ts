import type { StreamEvent } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'

/** The keys are in the order of the live event, so that a replay is byte-identical. */
function eventOf(row: StoredEvent, seq: number, change: { delta?: string }): StreamEvent {
  const { runId, ...data } = row.data
  return { event: row.event, runId, seq, ...data, ...change } as unknown as StreamEvent
}

/**
 * The events of a log row with `seq > after`, as they were sent live: a row of joined deltas is split again,
 * so that a replay can start inside it.
 */
export function* eventsOfRow(row: StoredEvent, after: number): Generator<StreamEvent> {
  if (!row.cuts) {
    if (row.seq > after) yield eventOf(row, row.seq, {})
    return
  }
  const text = String(row.data.delta)
  let from = 0
  for (const [index, to] of row.cuts.entries()) {
    const seq = row.seqFrom + index
    if (seq > after) {
      yield eventOf(row, seq, { delta: text.slice(from, to) })
    }
    from = to
  }
}
