import type { RunStore, StoredEvent } from '@troupe/runtime/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { storableJsonOfEvents } from './stored-events.ts'

/**
 * A batch that is sent again because its answer was lost finds its rows there and changes nothing. Nothing is added to
 * a run that was given up as lost: its log has its end.
 */
const APPEND_EVENTS = {
  name: 'append_events',
  text: `
insert into run_events (run_id, seq, seq_from, organization_id, event, data, cuts)
select r.id, e.seq, e."seqFrom", r.organization_id, e.event, e.data, e.cuts
from runs r, json_to_recordset($3::json) as e (seq int, "seqFrom" int, event text, data json, cuts int[])
where r.id = $1::uuid and r.organization_id = $2::uuid and r.status in ('running', 'cancelled')
on conflict do nothing`,
}

const EVENTS_AFTER = {
  name: 'events_after',
  text: `
select seq_from as "seqFrom", seq, event, data, cuts from run_events
where run_id = $1::uuid and seq > $2::int order by seq`,
}

export function appendEvents(client: SqlClient): RunStore['appendEvents'] {
  return async (runId, organizationId, events) => {
    if (events.length === 0) return
    await client.query(APPEND_EVENTS, [runId, organizationId, storableJsonOfEvents(events)])
  }
}

export function eventsAfter(client: SqlClient): RunStore['eventsAfter'] {
  return (runId, after) => client.query<StoredEvent>(EVENTS_AFTER, [runId, after])
}
