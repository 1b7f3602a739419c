import type { RunId } from '@troupe/contract'
import type { RunStore } from '@troupe/runtime/ports'
import { CHANNEL } from '../signals/listeners.ts'
import type { SqlClient } from '../sql/sql-client.ts'
import { storableText } from '../sql/storable.ts'

/** A run whose row is not there yet has not ended: its start may be under way beside its first model call. */
const ENDED_RUNS = {
  name: 'ended_runs',
  text: `
select id from runs
where id = any (array(select value::uuid from json_array_elements_text($1::json))) and status <> 'running'`,
}

const RENEW_LEASES = {
  name: 'renew_leases',
  text: `
update runs set lease_until = now() + make_interval(secs => $2::float8)
where worker_id = $1 and status = 'running'
  and id = any (array(select value::uuid from json_array_elements_text($3::json)))`,
}

/**
 * Rows that another sweep or the run's own end holds at this moment are skipped: they are being ended, and waiting for
 * several rows in any order could deadlock. The worker may be alive but cut off and append to the log just now; if it
 * took the number of the `RunError`, its row stays and the readers of the stream tell the end from the run's row.
 */
const FAIL_LOST = {
  name: 'fail_lost',
  text: `
with lost as (
  update runs set status = 'failed', success = false, error_code = $2, error_message = $3, completed_at = now(),
    lease_until = null
  where id in (
    select id from runs where status = 'running' and ($1::boolean or lease_until < now()) for update skip locked
  )
  returning id, organization_id, source
), told as (
  insert into run_events (run_id, seq, seq_from, organization_id, event, data)
  select id, next.seq, next.seq, organization_id, 'RunError',
    json_build_object('runId', id, 'createdAt', floor(extract(epoch from now()))::bigint, 'error', $2::text, 'message', $3::text)
  from lost, lateral (
    select coalesce(max(run_events.seq), 0) + 1 as seq from run_events where run_events.run_id = lost.id
  ) next
  where source = 'api_stream'
  on conflict do nothing
  returning run_id
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_events', 'runId', run_id)::text) from told
)
select count(*) as lost, (select count(*) from announced) as announced from lost`,
}

export function endedRuns(client: SqlClient): RunStore['ended'] {
  return async (runIds) => {
    if (runIds.length === 0) return []
    const rows = await client.query<{ id: string }>(ENDED_RUNS, [JSON.stringify(runIds)])
    return rows.map((row) => row.id as RunId)
  }
}

export function renewLeases(client: SqlClient): RunStore['renewLeases'] {
  return async (workerId, runIds, leaseSeconds) => {
    if (runIds.length === 0) return
    await client.query(RENEW_LEASES, [workerId, leaseSeconds, JSON.stringify(runIds)])
  }
}

export function failLost(client: SqlClient): RunStore['failLost'] {
  return async ({ all, errorCode, errorMessage }) => {
    const [row] = await client.query<{ lost: number }>(FAIL_LOST, [
      all,
      errorCode,
      storableText(errorMessage),
    ])
    return row?.lost ?? 0
  }
}
