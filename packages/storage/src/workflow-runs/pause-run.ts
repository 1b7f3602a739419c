import type { WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { WorkflowRunStatus, WorkflowRunStore } from '@troupe/workflows/ports'
import { json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import {
  OUT_OF_BUDGET,
  readWorkflowRunStatus,
  runInScope,
  type ScopedRunParameter,
  scopedRun,
} from './run-rows.ts'

/**
 * A worker keeps its lease until work under way is written; its commits report the pause. Pausing a run that
 * is out of budget turns it into a user's pause, so that it does not resume automatically.
 */
const PAUSE_RUN = statement<ScopedRunParameter>(
  'pause_workflow_run',
  (p) => `
update workflow_runs set status = 'paused', pause_reason = 'paused by a person', dispatch_due_at = null
where ${runInScope(p)} and (status in ('running', 'awaiting_approval') or ${OUT_OF_BUDGET})
returning id`,
).returning({ id: uuid<WorkflowRunId>() })

// Assignments read the old column values.
const inHand = 'coalesce(lease_until >= now(), false)'
const dueAgain = `(waits_for is null and not ${inHand})`

/**
 * A run that only waits for reviewers keeps waiting. A worker that still holds a lease on the run releases it
 * for another turn once nothing is under way; otherwise the resume itself makes the next turn due.
 */
const RESUMED = `status = case when waits_for is null then 'running' else 'awaiting_approval' end,
  pause_reason = null, slice = slice + ${dueAgain}::int, dispatch_due_at = case when ${dueAgain} then now() end,
  worker_id = case when ${inHand} then worker_id end, lease_until = case when ${inHand} then lease_until end`
const DELIVERY = `case when dispatch_due_at is not null
  then json_build_object('lane', 'workflows', 'runId', id, 'slice', slice) end as delivery`

const RESUME_RUN = statement<ScopedRunParameter>(
  'resume_workflow_run',
  (p) => `
update workflow_runs set ${RESUMED}
where ${runInScope(p)} and status = 'paused'
returning status, ${DELIVERY}`,
).returning({ status: text<WorkflowRunStatus>(), delivery: nullable(json<Delivery>()) })

const SETTLE_BUDGETS = statement('settle_budgets', () => 'select settle_budgets() as settled')

/**
 * Resumes runs whose budgets have room again, of one organization or of all. Against a user's pause or resume, the
 * second statement finds a changed status or reason and does nothing. A resumed run that finds the budget used up
 * pauses again.
 *
 * A commit under way may have read the limit that this transaction raises, and pause its run unseen. The round over
 * all organizations, every minute, resumes that run.
 */
const RESUME_WITHIN_BUDGET = statement<'organizationId'>(
  'resume_workflow_runs_within_budget',
  (p) => `
with roomy as (
  select organization_id, project_id
  from (
    select distinct organization_id, project_id from workflow_runs
    where ${OUT_OF_BUDGET} and (${p.organizationId}::uuid is null or organization_id = ${p.organizationId}::uuid)
  ) waiting
  where used_up_budget(organization_id, project_id) is null
), chosen as (
  select r.id as chosen_id from roomy
  join workflow_runs r on r.organization_id = roomy.organization_id
    and r.project_id is not distinct from roomy.project_id
  where ${OUT_OF_BUDGET}
  limit ${BATCH} for update of r skip locked
), resumed as (
  update workflow_runs set ${RESUMED}
  from chosen where id = chosen_id and ${OUT_OF_BUDGET}
  returning ${DELIVERY}
)
select count(*) as rows, json_agg(delivery) filter (where delivery is not null) as deliveries from resumed`,
).returning({ rows: number(), deliveries: nullable(json<Delivery[]>()) })

export function pauseWorkflowRun(client: SqlClient): WorkflowRunStore['pause'] {
  return async (scope, runId) => {
    const [paused] = await client.query(...PAUSE_RUN(scopedRun(scope, runId)))
    if (paused) return { paused: true, status: 'paused' }
    const status = await readWorkflowRunStatus(client, scope, runId)
    return status && { paused: false, status }
  }
}

export function resumeWorkflowRun(client: SqlClient): WorkflowRunStore['resume'] {
  return async (scope, runId) => {
    const [resumed] = await client.query(...RESUME_RUN(scopedRun(scope, runId)))
    if (resumed) return { resumed: true, ...resumed }
    const status = await readWorkflowRunStatus(client, scope, runId)
    return status && { resumed: false, status, delivery: null }
  }
}

export function resumeWithinBudget(client: SqlClient): WorkflowRunStore['resumeWithinBudget'] {
  return async (organizationId = null) => {
    // Locks budgets of every organization: nothing for a transaction that changes one.
    if (organizationId === null) await client.query(...SETTLE_BUDGETS({}))
    const resumed = await inBatches(client, ...RESUME_WITHIN_BUDGET({ organizationId }))
    return resumed.flatMap(({ deliveries }) => deliveries ?? [])
  }
}
