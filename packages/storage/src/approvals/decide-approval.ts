import type { ApprovalDecisions } from '@troupe/agents/ports'
import type { RunId, WorkflowRunId } from '@troupe/contract'
import type { Delivery, Signal } from '@troupe/durable-work'
import { CONTINUE_RUN, CONTINUED_DELIVERY } from '../reviews/rows/review-rows.ts'
import { boolean, json, nullable, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable } from '../sql/client/storable.ts'
import { APPROVAL_COLUMNS, APPROVAL_ROW, NOBODY_TO_TELL } from './rows.ts'

/**
 * Locks the workflow's run before the runs of its nodes, so that a cancel, or the commit with which its worker parks
 * it, either precedes the decision or sees its mark.
 */
const LOCK_WORKFLOW = statement<'organizationId' | 'approvalId'>(
  'lock_workflow_of_approval',
  (p) => `
select id from workflow_runs where id = (select r.workflow_run_id from approvals a join runs r on r.id = a.run_id
  where a.id = ${p.approvalId}::uuid and a.organization_id = ${p.organizationId}::uuid) for update`,
).returning({ id: uuid<WorkflowRunId>() })

/** Runs are locked before their approvals, as at every end of a run. */
const LOCK_RUN = statement<'organizationId' | 'approvalId'>(
  'lock_run_of_approval',
  (p) => `
select id from runs where id = (select run_id from approvals where id = ${p.approvalId}::uuid
  and organization_id = ${p.organizationId}::uuid) for update`,
).returning({ id: uuid<RunId>() })

/** A separate statement after the lock, so that its snapshot includes what was committed during the wait. */
const READ_LOCKED = statement<'approvalId'>(
  'read_locked_approval',
  (p) =>
    `select ${APPROVAL_COLUMNS} from approvals a join runs r on r.id = a.run_id where a.id = ${p.approvalId}::uuid`,
).returning(APPROVAL_ROW)

/**
 * Makes the run continue after the decision. A parked job takes its next slice, which voids the delivery that waits for
 * the deadline, and its working time resumes. A job under way becomes due, so that its park releases it for immediate
 * delivery. Streams are notified by a signal.
 *
 * The run of a workflow node is continued by its workflow, whose worker checks the mark of a decision (`wake`) before
 * it lets the run wait; a workflow without a worker becomes due.
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
  select r.id as parked_id, r.waiting_since is not null as waits from runs r join settled on settled.run_id = r.id
), continued as (
  update runs set slice = slice + (parked.waits and source = 'api_async')::int, waiting_since = null,
    deadline_at = deadline_at + coalesce(now() - waiting_since, interval '0'),
    dispatch_due_at = case when not parked.waits then coalesce(dispatch_due_at, now()) when source = 'api_async' then now() end
  from parked where runs.id = parked_id and source in ('api_async', 'workflow') and status = 'running'
  returning runs.id as job_id, slice as job_slice, parked.waits and source = 'api_async' as is_due, workflow_run_id as parent_id
), workflow as (
  update workflow_runs set ${CONTINUE_RUN}
  from continued where workflow_runs.id = parent_id and workflow_runs.status in ('running', 'paused', 'awaiting_approval')
  returning workflow_runs.id as in_hand_id, lease_until is not null as in_hand, ${CONTINUED_DELIVERY}
)
select coalesce((select json_build_object('lane', 'jobs', 'runId', job_id, 'slice', job_slice) from continued where is_due),
    (select delivery from workflow)) as delivery,
  (select in_hand_id from workflow where in_hand) as "inHand", exists (select from settled) as settled`,
).returning({
  delivery: nullable(json<Delivery>()),
  inHand: nullable(uuid<WorkflowRunId>()),
  settled: boolean(),
})

/** Decisions within a transaction; `signal` notifies every process on commit. */
export function approvalDecisions(client: SqlClient, signal: (signal: Signal) => void): ApprovalDecisions {
  return {
    async lock(organizationId, approvalId) {
      await client.query(...LOCK_WORKFLOW({ organizationId, approvalId }))
      const [run] = await client.query(...LOCK_RUN({ organizationId, approvalId }))
      if (!run) return null
      const [row] = await client.query(...READ_LOCKED({ approvalId }))
      return row ?? null
    },
    async settle({ approvalId, runId }, { status, reason, resolvedBy }) {
      const [row] = await client.query(
        ...SETTLE({
          ...{ approvalId, status },
          reason: storableNullable(reason),
          resolvedBy: resolvedBy && storableJson(resolvedBy),
        }),
      )
      if (row?.settled) signal({ kind: 'approval_resolved', runId })
      if (row?.inHand) signal({ kind: 'review_decided', runId: row.inHand })
      return row?.delivery ?? null
    },
  }
}
