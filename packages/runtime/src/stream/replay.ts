import type { StreamEvent } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'

/**
 * The events of a log row with `seq > after`, as they were sent live: a row of joined deltas becomes its deltas again,
 * so that a replay may start in the middle of it.
 */
export function* eventsOfRow(row: StoredEvent, after: number): Generator<StreamEvent> {
  if (!row.cuts) {
    if (row.seq > after) yield { event: row.event, seq: row.seq, ...row.data } as unknown as StreamEvent
    return
  }
  const text = String(row.data.delta)
  let from = 0
  for (const [index, to] of row.cuts.entries()) {
    const seq = row.seqFrom + index
    if (seq > after) {
      yield { ...row.data, event: row.event, seq, delta: text.slice(from, to) } as unknown as StreamEvent
    }
    from = to
  }
}
