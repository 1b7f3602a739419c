import type { WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { CHANNEL } from '../listen-notify/listeners.ts'
import { WITHDRAW_REVIEWS } from '../reviews/rows/review-rows.ts'
import { number, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'
import { NODE_RUNS, nodeRunRows } from './node-rows.ts'
import {
  IN_FLIGHT,
  readWorkflowRunStatus,
  runInScope,
  type ScopedRunParameter,
  scopedRun,
  TELL_WAITER,
} from './run-rows.ts'

/**
 * Compare-and-set and notification in one statement, so an acknowledged cancel is also announced. A live
 * lease is kept: it marks that its worker still owes the trace.
 */
const CANCEL_RUN = statement<ScopedRunParameter>(
  'cancel_workflow_run',
  (p) => `
with ended as (
  update workflow_runs set status = 'cancelled', completed_at = now(), dispatch_due_at = null, waits_for = null,
    pause_reason = null, lease_until = case when lease_until >= now() then lease_until end
  where ${runInScope(p)} and ${IN_FLIGHT}
  returning id, waiter
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'workflow_run_cancelled', 'runId', id)::text) from ended
), told as (${TELL_WAITER('ended')}
), ${WITHDRAW_REVIEWS('ended')}
select (select count(*) from announced) as announced, (select count(*) from told) as told from ended`,
).returning({ announced: number(), told: number() })

/** Idempotent: a second settle finds no lease and writes nothing. */
const SETTLE_CANCELLED = statement<'runId' | 'slice' | 'workerId' | 'nodeRuns'>(
  'settle_cancelled_workflow_run',
  (p) => `
with run as (
  update workflow_runs set lease_until = null
  where id = ${p.runId}::uuid and slice = ${p.slice}::int and worker_id = ${p.workerId} and status = 'cancelled' and lease_until is not null
  returning id, organization_id
), ${NODE_RUNS('run', p.nodeRuns)}
select count(*) as settled from run`,
).returning({ settled: number() })

/**
 * A run leaves `queued` when a worker claims it, so after this a late dispatch that was presumed lost does
 * nothing.
 */
const FAIL_DISPATCH = statement<'runId' | 'error'>(
  'fail_workflow_dispatch',
  (p) => `
update workflow_runs set status = 'failed', error = ${p.error}, completed_at = now(), dispatch_due_at = null
where id = ${p.runId}::uuid and status = 'queued'
returning id`,
).returning({ id: uuid<WorkflowRunId>() })

export function cancelWorkflowRun(client: SqlClient): WorkflowRunStore['cancel'] {
  return async (scope, runId) => {
    const [cancelled] = await client.query(...CANCEL_RUN(scopedRun(scope, runId)))
    if (cancelled) return { cancelled: true, status: 'cancelled' }
    const status = await readWorkflowRunStatus(client, scope, runId)
    return status && { cancelled: false, status }
  }
}

export function settleCancelledWorkflowRuns(client: SqlClient): WorkflowRunStore['settleCancelled'] {
  return async (fence, nodeRuns) => {
    await client.query(...SETTLE_CANCELLED({ ...fence, nodeRuns: nodeRunRows(nodeRuns) }))
  }
}

export function failDispatch(client: SqlClient): WorkflowRunStore['failDispatch'] {
  return async (runId, error) => {
    const rows = await client.query(...FAIL_DISPATCH({ runId, error: storableText(error) }))
    return rows.length > 0
  }
}
