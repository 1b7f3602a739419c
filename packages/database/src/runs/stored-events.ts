import type { StoredEvent } from '@troupe/runtime/ports'
import { storableJson } from '../sql/storable.ts'

/** Rows of an event log as the JSON that statements unpack. */
export function storableJsonOfEvents(events: readonly StoredEvent[]): string {
  return storableJson(
    events.map(({ seqFrom, seq, event, data, cuts }) => ({ seqFrom, seq, event, data, cuts })),
  )
}
