import type { RunStore } from '@troupe/agents/ports'
import type { RunId } from '@troupe/contract'
import { CHANNEL } from '../../signals/listeners.ts'
import type { SqlClient } from '../../sql/sql-client.ts'
import { storableText } from '../../sql/storable.ts'
import { APPENDED_END } from '../events/stored-events.ts'

/**
 * A run whose row is not there yet has not ended: its start may be under way beside its first model call. A job in
 * flight that this worker does not have was taken from it.
 */
const ENDED_RUNS = {
  name: 'ended_runs',
  text: `
select id as "runId", case when status in ('queued', 'running') then 'lost' else 'cancel' end as reason from runs
where id = any (array(select value::uuid from json_array_elements_text($2::json)))
  and (status not in ('queued', 'running') or source in ('api_async', 'workflow') and worker_id is distinct from $1)`,
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
 * several rows in any order could deadlock. Jobs are not ended but continued: see `sweep-jobs.ts`.
 */
const FAIL_LOST = {
  name: 'fail_lost',
  text: `
with lost as (
  update runs set status = 'failed', success = false, error_code = $2, error_message = $3, completed_at = now(),
    lease_until = null
  where id in (
    select id from runs
    where status = 'running' and source in ('api_sync', 'api_stream') and ($1::boolean or lease_until < now()) for update skip locked
  )
  returning id, organization_id, source
), lost_streams as (
  select id, organization_id from lost where source = 'api_stream'
), told as (${APPENDED_END('lost_streams', 'RunError', `'error', $2::text, 'message', $3::text`)}
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_events', 'runId', run_id)::text) from told
)
select count(*) as lost, (select count(*) from announced) as announced from lost`,
}

export function endedRuns(client: SqlClient): RunStore['ended'] {
  return async (workerId, runIds) => {
    if (runIds.length === 0) return []
    return client.query<{ runId: RunId; reason: 'cancel' | 'lost' }>(ENDED_RUNS, [
      workerId,
      JSON.stringify(runIds),
    ])
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
