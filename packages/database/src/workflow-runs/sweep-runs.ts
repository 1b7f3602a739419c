import type { Delivery } from '@troupe/agents/ports'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { WITHDRAW_REVIEWS } from '../reviews/rows/review-rows.ts'
import type { SqlClient } from '../sql/sql-client.ts'
import { MAX_LOSSES, TELL_WAITER } from './run-rows.ts'

/** Rows per statement, so that no sweep holds locks or grows a transaction for long. */
const BATCH = 500

const LOST_AT_NODE = `the worker running it was lost ${MAX_LOSSES} times`
const GONE = `case when status = 'paused' then 'left_paused' when losses >= ${MAX_LOSSES - 1} then 'lost_for_good'
  else 'lost' end`

/**
 * What follows from the verdicts on `held` (a query before it: id, verdict, message; its rows are locked): runs end, or
 * are due again. A lost worker costs its turn, so that whatever it still sends finds another fence. A run that was lost
 * for good names what ran: nodes with running nodes in their own frames are Loops, which only wait.
 */
function VERDICTS_DONE(dueAt: string): string {
  return `
blamed as (
  update workflow_node_runs n set status = 'failed', error = '${LOST_AT_NODE}', completed_at = now()
  where n.run_id = any (array(select id from held where verdict = 'lost_for_good')) and n.status = 'running'
    and not exists (
      select from workflow_node_runs inner_node
      where inner_node.run_id = n.run_id
        and starts_with(inner_node.path, concat(nullif(n.path, '') || '/', n.node_id, '['))
    )
  returning n.run_id, n.seq, n.path, n.node_id
), judged as (
  select id, coalesce(
    (select string_agg(format('Node %s failed: ${LOST_AT_NODE}', node_id || coalesce(' in ' || nullif(path, ''), '')),
      '; ' order by seq, path, node_id) from blamed where blamed.run_id = held.id),
    message) as message
  from held where verdict in ('undispatched', 'not_started', 'lost_for_good')
), ended as (
  update workflow_runs set status = 'failed', error = judged.message, completed_at = now(), worker_id = null,
    lease_until = null, dispatch_due_at = null
  from judged where workflow_runs.id = judged.id and workflow_runs.id = any (array(select id from judged))
  returning workflow_runs.id, waiter
), told as (${TELL_WAITER('ended')}
), ${WITHDRAW_REVIEWS('ended')}, left_paused as (
  update workflow_runs set worker_id = null, lease_until = null
  where id = any (array(select id from held where verdict = 'left_paused'))
), continued as (
  update workflow_runs set slice = slice + (lease_until is not null)::int,
    losses = losses + (lease_until is not null)::int, worker_id = null, lease_until = null, dispatch_due_at = ${dueAt}
  where id = any (array(select id from held where verdict in ('lost', 'due', 'forgotten')))
  returning id, slice
)`
}

const LOST_TEXT = `'The worker of this run was lost ${MAX_LOSSES} times.'`

/**
 * Rows that another sweep, a claim or a worker holds at this moment are skipped; one that has changed since this
 * statement's snapshot is judged again as it is now. So every due delivery goes to one caller, who has 10 seconds to
 * hand it in.
 *
 * - An engine counts as unreachable only when somebody tried it of late: after an outage of every process, a run that
 *   has been due for longer is handed out first.
 * - Nothing leaves a run in flight without lease and without due time. Should one be found, it is due in 10 seconds.
 * - A paused run goes on by its resume only. An open review is none of the watchdog's business.
 */
const SWEEP_RUNS = {
  name: 'sweep_workflow_runs',
  text: `
with held as (
  select id, verdict, case verdict
    when 'undispatched' then format('The workflow engine could not be reached for %s seconds.', $1::int)
    when 'not_started' then format('No worker picked the run up within %s minutes.', trim_scale(round($2::numeric / 60, 1)))
    else ${LOST_TEXT} end as message
  from workflow_runs, lateral (
    select case
      when status = 'queued' and dispatched_at is null and created_at < now() - make_interval(secs => $1::int)
        and dispatch_due_at > now() - interval '20 s' then 'undispatched'
      when status = 'queued' and dispatched_at < now() - make_interval(secs => $2::float8) then 'not_started'
      when lease_until < now() then ${GONE}
      when status = 'paused' then null
      when lease_until is null and dispatch_due_at <= now() then 'due'
      when lease_until is null and dispatch_due_at is null then 'forgotten'
    end as verdict
  ) judgement
  where status in ('queued', 'running', 'paused') and verdict is not null
  order by created_at limit ${BATCH} for update of workflow_runs skip locked
), ${VERDICTS_DONE(`now() + interval '10 s'`)}
select (select count(*) from held) as rows, (select count(*) from told) as told,
  (select json_agg(json_build_object('lane', 'workflows', 'runId', continued.id, 'slice', continued.slice))
    from continued join held on held.id = continued.id where held.verdict <> 'forgotten') as deliveries`,
}

/**
 * A lease of an earlier process is void, and so is what lay in its queue. A run that lay between two turns has lost no
 * worker. What was due stays due since then: see the first rule of `sweep_workflow_runs`.
 */
const RECOVER_RUNS = {
  name: 'recover_workflow_runs',
  text: `
with held as (
  select id, case when lease_until is null then 'due' else ${GONE} end as verdict, ${LOST_TEXT} as message
  from workflow_runs
  where status in ('queued', 'running', 'paused')
    and (lease_until is not null or status <> 'paused' and (dispatch_due_at is null or dispatch_due_at > now()))
  for update
), ${VERDICTS_DONE('least(dispatch_due_at, now())')}
select (select count(*) from told) as told`,
}

interface Swept {
  rows: number
  deliveries: Delivery[] | null
}

export function sweepRuns(client: SqlClient): WorkflowRunStore['sweep'] {
  return async ({ dispatchSeconds, queueSeconds }) => {
    const deliveries: Delivery[] = []
    for (;;) {
      const [swept] = await client.query<Swept>(SWEEP_RUNS, [dispatchSeconds, queueSeconds])
      deliveries.push(...(swept?.deliveries ?? []))
      if (!swept || swept.rows < BATCH) return deliveries
    }
  }
}

export function recoverRuns(client: SqlClient): WorkflowRunStore['recover'] {
  return async () => {
    await client.query(RECOVER_RUNS, [])
  }
}
