import type { Delivery, WorkflowRunStatus, WorkflowRunStore } from '@troupe/runtime/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { RUN_IN_SCOPE, readStatus, scopedValues } from './run-rows.ts'

/** A worker keeps its lease until what it has under way is written; its commits tell it of the pause. */
const PAUSE_RUN = {
  name: 'pause_workflow_run',
  text: `
update workflow_runs set status = 'paused', pause_reason = 'paused by a person', dispatch_due_at = null
where ${RUN_IN_SCOPE} and status in ('running', 'awaiting_approval')
returning id`,
}

// In an assignment a column is what it was before.
const inHand = 'coalesce(lease_until >= now(), false)'
const dueAgain = `(waits_for is null and not ${inHand})`

/**
 * What only waits for people waits on. A worker that still has the run gives it back when nothing is under way, and then
 * for another turn; otherwise this is that turn.
 */
const RESUME_RUN = {
  name: 'resume_workflow_run',
  text: `
update workflow_runs set status = case when waits_for is null then 'running' else 'awaiting_approval' end,
  pause_reason = null, slice = slice + ${dueAgain}::int, dispatch_due_at = case when ${dueAgain} then now() end,
  worker_id = case when ${inHand} then worker_id end, lease_until = case when ${inHand} then lease_until end
where ${RUN_IN_SCOPE} and status = 'paused'
returning status, case when dispatch_due_at is not null
  then json_build_object('lane', 'workflows', 'runId', id, 'slice', slice) end as delivery`,
}

export function pauseRun(client: SqlClient): WorkflowRunStore['pause'] {
  return async (scope, runId) => {
    const [paused] = await client.query(PAUSE_RUN, scopedValues(scope, runId))
    if (paused) return { paused: true, status: 'paused' }
    const status = await readStatus(client, scope, runId)
    return status && { paused: false, status }
  }
}

export function resumeRun(client: SqlClient): WorkflowRunStore['resume'] {
  return async (scope, runId) => {
    const [resumed] = await client.query<{ status: WorkflowRunStatus; delivery: Delivery | null }>(
      RESUME_RUN,
      scopedValues(scope, runId),
    )
    if (resumed) return { resumed: true, ...resumed }
    const status = await readStatus(client, scope, runId)
    return status && { resumed: false, status, delivery: null }
  }
}
