import type { ApprovalDecisions } from '@troupe/agents/ports'
import { type SqlClient, statement, storableJson, storableNullable } from '@troupe/sql'
import type { Delivery, Signal } from '@troupe/turns'
import { APPROVAL_COLUMNS, type ApprovalRow, NOBODY_TO_TELL } from './rows.ts'

/** Runs are locked before their approvals, as for every end of a run. */
const LOCK_RUN = statement<'organizationId' | 'approvalId'>(
  'lock_run_of_approval',
  (p) => `
select id from runs where id = (select run_id from approvals where id = ${p.approvalId}::uuid
  and organization_id = ${p.organizationId}::uuid) for update`,
)

/** A separate statement after the lock, so that its snapshot includes what was committed during the wait. */
const READ_LOCKED = {
  name: 'read_locked_approval',
  text: `select ${APPROVAL_COLUMNS} from approvals a join runs r on r.id = a.run_id where a.id = $1::uuid`,
}

/**
 * A parked job takes its next slice, which voids the delivery that waits for the deadline, and its working time goes
 * on. A job under way becomes due: its park then gives it back for immediate delivery. Streams notice by a signal.
 */
const SETTLE = statement<'approvalId' | 'status' | 'reason' | 'resolvedBy'>(
  'settle_approval',
  (p) => `
with settled as (
  update approvals set status = ${p.status}, reason = ${p.reason}, resolved_by = ${p.resolvedBy}::json, resolved_at = now(),
    ${NOBODY_TO_TELL}
  where id = ${p.approvalId}::uuid and status = 'pending'
  returning run_id
), parked as (
  select r.id, r.waiting_since is not null as waits from runs r join settled on settled.run_id = r.id
), continued as (
  update runs set slice = slice + parked.waits::int, waiting_since = null,
    deadline_at = deadline_at + coalesce(now() - waiting_since, interval '0'),
    dispatch_due_at = case when parked.waits then now() else coalesce(dispatch_due_at, now()) end
  from parked where runs.id = parked.id and source = 'api_async' and status = 'running'
  returning runs.id, slice, parked.waits
)
select (select json_build_object('lane', 'jobs', 'runId', id, 'slice', slice) from continued where waits) as delivery,
  exists (select from settled) as settled`,
)

/** Decisions within a transaction; `signal` notifies every process on commit. */
export function approvalDecisions(client: SqlClient, signal: (signal: Signal) => void): ApprovalDecisions {
  return {
    async lock(organizationId, approvalId) {
      const [run] = await client.query(...LOCK_RUN({ organizationId, approvalId }))
      if (!run) return null
      const [row] = await client.query<ApprovalRow>(READ_LOCKED, [approvalId])
      return row ?? null
    },
    async settle({ approvalId, runId }, { status, reason, resolvedBy }) {
      const [row] = await client.query<{ delivery: Delivery | null; settled: boolean }>(
        ...SETTLE({
          ...{ approvalId, status },
          reason: storableNullable(reason),
          resolvedBy: resolvedBy && storableJson(resolvedBy),
        }),
      )
      if (row?.settled) signal({ kind: 'approval_resolved', runId })
      return row?.delivery ?? null
    },
  }
}
