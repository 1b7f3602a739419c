import type { RunStore } from '@troupe/agents/ports'
import { integers, json, nullable, number, text } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { APPENDED_EVENTS, storableJsonOfEvents } from './stored-events.ts'

/** A run declared lost accepts no more events: its log already has its end. */
const APPEND_EVENTS = statement<'runId' | 'organizationId' | 'events'>(
  'append_events',
  (p) => `
with owner as (
  select id, organization_id from runs
  where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and status in ('running', 'cancelled')
)
${APPENDED_EVENTS('owner', p.events)}`,
)

/**
 * The same for a job, whose row is locked against a takeover: a batch either commits before the next worker
 * claims, which then counts it when reading the log's last number, or it waits, fails the fence and is
 * dropped. A cancelled job accepts events only while its worker still owes it the end.
 */
const APPEND_JOB_EVENTS = statement<'runId' | 'organizationId' | 'events' | 'workerId' | 'slice'>(
  'append_job_events',
  (p) => `
with owner as (
  select id, organization_id from runs
  where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and status in ('running', 'cancelled')
    and worker_id = ${p.workerId} and slice = ${p.slice}::int and lease_until is not null
  for share
)
${APPENDED_EVENTS('owner', p.events)}`,
)

const EVENTS_AFTER = statement<'runId' | 'after'>(
  'events_after',
  (p) => `
select seq_from as "seqFrom", seq, event, data, cuts from run_events
where run_id = ${p.runId}::uuid and seq > ${p.after}::int order by seq`,
).returning({
  seqFrom: number(),
  seq: number(),
  event: text(),
  data: json<Record<string, unknown>>(),
  cuts: nullable(integers()),
})

export function appendEvents(client: SqlClient): RunStore['appendEvents'] {
  return async (runId, organizationId, events, fence) => {
    if (events.length === 0) return
    const values = { runId, organizationId, events: storableJsonOfEvents(events) }
    if (fence)
      await client.query(...APPEND_JOB_EVENTS({ ...values, workerId: fence.workerId, slice: fence.slice }))
    else await client.query(...APPEND_EVENTS(values))
  }
}

export function eventsAfter(client: SqlClient): RunStore['eventsAfter'] {
  return (runId, after) => client.query(...EVENTS_AFTER({ runId, after }))
}
