import type { JobStore } from '@troupe/agents/ports'
import type { SqlClient } from '../../sql/sql-client.ts'

const YIELD_JOB = {
  name: 'yield_job',
  text: `
update runs set slice = slice + 1, worker_id = null, lease_until = null, dispatch_due_at = now()
where id = $1::uuid and source in ('api_async', 'workflow') and status = 'running' and worker_id = $2 and slice = $3::int
returning slice`,
}

/** A delivery that a worker was faster to claim than the engine to answer is not due again. */
const DISPATCHED = {
  name: 'job_dispatched',
  text: `
update runs set dispatched_at = coalesce(dispatched_at, now()),
  dispatch_due_at = now() + make_interval(secs => $3::float8)
where id = $1::uuid and source = 'api_async' and slice = $2::int and status in ('queued', 'running')
  and lease_until is null`,
}

export function yieldJob(client: SqlClient): JobStore['yield'] {
  return async (runId, fence) => {
    const [row] = await client.query<{ slice: number }>(YIELD_JOB, [runId, fence.workerId, fence.slice])
    return row?.slice ?? null
  }
}

export function dispatched(client: SqlClient): JobStore['dispatched'] {
  return async ({ runId, slice }, redeliverSeconds) => {
    await client.query(DISPATCHED, [runId, slice, redeliverSeconds])
  }
}
