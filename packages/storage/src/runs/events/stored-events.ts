import type { StoredEvent } from '@troupe/agents/ports'
import { storableJson } from '../../sql/client/storable.ts'

/** Rows of an event log as the JSON that statements unpack. */
export function storableJsonOfEvents(events: readonly StoredEvent[]): string {
  return storableJson(
    events.map(({ seqFrom, seq, event, data, cuts }) => ({ seqFrom, seq, event, data, cuts })),
  )
}

/**
 * Appends `storableJsonOfEvents` to the log of the run in `owner` (a query or table `o` with id and
 * organization_id). Idempotent: a batch resent because its answer was lost changes nothing.
 */
export function APPENDED_EVENTS(owner: string, parameter: string): string {
  return `
  insert into run_events (run_id, seq, seq_from, organization_id, event, data, cuts)
  select o.id, e.seq, e."seqFrom", o.organization_id, e.event, e.data, e.cuts
  from ${owner} o, json_to_recordset(${parameter}::json) as e
    (seq int, "seqFrom" int, event text, data json, cuts int[])
  on conflict do nothing`
}

/**
 * Appends the end to the logs of the runs in `owner` (a query `o` with id and organization_id), for ends that no worker
 * writes. `fields` are further members of the event's data, as arguments of `json_build_object`. The number is one more
 * than this statement's snapshot shows: if a fenced-off writer used it in the meantime, that writer's row is kept, and
 * readers of the stream read the end from the run's row.
 */
export function APPENDED_END(owner: string, event: 'RunError' | 'RunCancelled', fields: string): string {
  return `
  insert into run_events (run_id, seq, seq_from, organization_id, event, data)
  select o.id, next.seq, next.seq, o.organization_id, '${event}',
    json_build_object('runId', o.id, 'createdAt', floor(extract(epoch from now()))::bigint, ${fields})
  from ${owner} o, lateral (
    select coalesce(max(run_events.seq), 0) + 1 as seq from run_events where run_events.run_id = o.id
  ) next
  on conflict do nothing
  returning run_id`
}
