import type { RunStore } from '@troupe/agents/ports'
import { CHANNEL } from '../../listen-notify/listeners.ts'
import { boolean, number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { APPENDED_END } from '../events/stored-events.ts'
import { readStatus } from '../rows/read-status.ts'
import { type RootParameter, rootInScope, rootValues } from '../rows/root-in-scope.ts'

/**
 * Cancels the runs in flight that match `which` (a condition on `runs`) and notifies every process: `ended`
 * has their rows, `announced` must be read. The lease is kept: it marks that the executing process still owes
 * the texts. A job without a live lease (queued, between two turns, its worker lost) has no owner to write
 * its end, so this statement appends the end to its log and deletes its journal. Steps committed after this
 * statement's snapshot stay until the sweep for expired rows.
 */
export function CANCELLED(which: string): string {
  return `
ended as (
  update runs set status = 'cancelled', success = false, stop_reason = 'cancel', completed_at = now(),
    dispatch_due_at = null, tool_context_sealed = null,
    lease_until = case when source in ('api_sync', 'api_stream', 'playground', 'voice') or lease_until >= now() then lease_until end
  where ${which} and status in ('queued', 'running')
  returning id, organization_id, lease_until
), owed_nothing as (
  select id, organization_id from ended where lease_until is null
), told as (${APPENDED_END('owed_nothing', 'RunCancelled', `'reason', 'user', 'content', ''`)}
), journal as (
  delete from run_steps using owed_nothing where run_steps.run_id = owed_nothing.id
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_cancelled', 'runId', id)::text) from ended
)`
}

/** Compare-and-set and notification in one statement, so an acknowledged cancel is also announced. */
const CANCEL_RUN = statement<RootParameter>(
  'cancel_run',
  (p) => `
with scoped as (
  select r.id from runs r where ${rootInScope(p)}
), ${CANCELLED('id = (select id from scoped)')}
select exists (select from ended) as cancelled, (select count(*) from announced) as announced
from scoped`,
).returning({ cancelled: boolean(), announced: number() })

export function cancelStoredRun(client: SqlClient): RunStore['cancel'] {
  return async (scope, target) => {
    const [row] = await client.query(...CANCEL_RUN(rootValues(scope, target)))
    if (!row) return null
    if (row.cancelled) return { cancelled: true, status: 'cancelled' }
    const status = await readStatus(client, target.runId, scope.organizationId)
    return status && { cancelled: false, status }
  }
}
