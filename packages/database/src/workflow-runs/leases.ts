import type { WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { IN_FLIGHT } from './run-rows.ts'

/** A delivery for later is due again only after its time. One that a worker was faster to claim is not due at all. */
const DISPATCHED = {
  name: 'workflow_run_dispatched',
  text: `
update workflow_runs set dispatched_at = coalesce(dispatched_at, now()),
  dispatch_due_at = greatest(dispatch_due_at, now()) + make_interval(secs => $3::float8)
where id = $1::uuid and slice = $2::int and status in ('queued', 'running') and lease_until is null`,
}

/** A worker of a paused run still writes what it has under way. */
const RENEW_LEASES = {
  name: 'renew_workflow_leases',
  text: `
update workflow_runs set lease_until = now() + make_interval(secs => $2::float8)
where worker_id = $1 and status in ('running', 'paused')
  and id = any (array(select value::uuid from json_array_elements_text($3::json)))`,
}

/** A run whose row is not there yet has not ended. One in flight that this worker does not have was taken from it. */
const ENDED_RUNS = {
  name: 'ended_workflow_runs',
  text: `
select id as "runId", case when ${IN_FLIGHT} then 'lost' else 'cancel' end as reason from workflow_runs
where id = any (array(select value::uuid from json_array_elements_text($2::json)))
  and (not (${IN_FLIGHT}) or worker_id is distinct from $1)`,
}

export function dispatched(client: SqlClient): WorkflowRunStore['dispatched'] {
  return async ({ runId, slice }, redeliverSeconds) => {
    await client.query(DISPATCHED, [runId, slice, redeliverSeconds])
  }
}

export function renewLeases(client: SqlClient): WorkflowRunStore['renewLeases'] {
  return async (workerId, runIds, leaseSeconds) => {
    if (runIds.length === 0) return
    await client.query(RENEW_LEASES, [workerId, leaseSeconds, JSON.stringify(runIds)])
  }
}

export function endedRuns(client: SqlClient): WorkflowRunStore['ended'] {
  return async (workerId, runIds) => {
    if (runIds.length === 0) return []
    return client.query<{ runId: WorkflowRunId; reason: 'cancel' | 'lost' }>(ENDED_RUNS, [
      workerId,
      JSON.stringify(runIds),
    ])
  }
}
