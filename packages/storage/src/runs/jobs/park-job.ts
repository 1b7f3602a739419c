import type { JobStore } from '@troupe/agents/ports'
import { number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/**
 * A decision and a park are serialized by the lock of the run's row. A decision during the turn has made the leased
 * row due (`dispatch_due_at`, which its claim had cleared): then the row is given back at once, even though this
 * statement's snapshot may still show the approval as pending. A decision after the park finds it waiting.
 *
 * The run of a workflow's node is not delivered. Its workflow continues it: at once when it does not wait (`waiting_since`),
 * because the worker asks after every park, and otherwise when the decision clears the mark.
 */
const PARK = statement<'runId' | 'workerId' | 'slice'>(
  'park_job',
  (p) => `
with expiry as (
  select min(expires_at) as first from approvals where run_id = ${p.runId}::uuid and status = 'pending'
)
update runs set slice = slice + 1, worker_id = null, lease_until = null,
  waiting_since = case when dispatch_due_at is null and first is not null then now() end,
  dispatch_due_at = case when source = 'api_async' then coalesce(dispatch_due_at, first, now()) end
from expiry
where id = ${p.runId}::uuid and source in ('api_async', 'workflow') and status = 'running' and worker_id = ${p.workerId}
  and slice = ${p.slice}::int
returning slice, case when waiting_since is null then 0 else (extract(epoch from first) * 1000)::bigint end as "dueAt"`,
).returning({ slice: number(), dueAt: number() })

export function parkJob(client: SqlClient): JobStore['park'] {
  return async (runId, fence) => {
    const [row] = await client.query(...PARK({ runId, ...fence }))
    return row ?? null
  }
}
