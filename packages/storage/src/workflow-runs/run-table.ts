import { MAX_LOSSES } from '@troupe/durable-work'
import { IN_FLIGHT_STATUSES } from '@troupe/workflows/ports'
import type { TurnTable } from '../durable-work/turn-table.ts'
import { WITHDRAW_REVIEWS } from '../reviews/rows/review-rows.ts'
import { TELL_WAITER } from './run-rows.ts'

const LOST_AT_NODE = `the worker running it was lost ${MAX_LOSSES} times`

/**
 * The nodes that were running when the last worker was lost. Nodes with running nodes in their own frames are
 * Loops, which only wait.
 */
const BLAMED = `blamed as (
  update workflow_node_runs n set status = 'failed', error = '${LOST_AT_NODE}', completed_at = now()
  where n.run_id = any (array(select id from held where verdict = 'lost_for_good')) and n.status = 'running'
    and not exists (
      select from workflow_node_runs inner_node
      where inner_node.run_id = n.run_id
        and starts_with(inner_node.path, concat(nullif(n.path, '') || '/', n.node_id, '['))
    )
  returning n.run_id, n.seq, n.path, n.node_id
), `

/**
 * Runs of workflows. A paused run keeps its worker until work under way is written, and continues only when
 * it is resumed; the decision makes a run that waits for a review due. When the sweeper ends a run, it names
 * the running nodes, notifies the waiting caller and withdraws the run's reviews.
 */
export const WORKFLOW_RUN_TABLE: TurnTable = {
  table: 'workflow_runs',
  lane: 'workflows',
  noun: 'workflow_run',
  statuses: {
    inFlight: IN_FLIGHT_STATUSES,
    claimable: ['running'],
    leased: ['running', 'paused'],
    swept: ['queued', 'running', 'paused'],
    resting: ['paused'],
  },
  delivered: null,
  waits: null,
  handedOn: null,
  claim: {
    assignments: ', wake = false, waits_for = null',
    join: null,
    returned: `t.organization_id, t.project_id, t.workflow_id, t.version_id, t.source, t.fired_node_id, t.input,
  t.variables, t.api_key_id, t.waiter, t.created_at, t.started_at, t.slice, t.scope,
  case when t.kind = 'test' then t.started_by_user_id end as tester_id`,
  },
  sweep: {
    undispatched: (seconds) =>
      `format('The workflow engine could not be reached for %s seconds.', ${seconds}::int)`,
    notStarted: (seconds) =>
      `format('No worker picked the run up within %s minutes.', trim_scale(round(${seconds}::numeric / 60, 1)))`,
    overdue: null,
    blame: BLAMED,
    lostForGood: `coalesce(
      (select string_agg(format('Node %s failed: ${LOST_AT_NODE}', node_id || coalesce(' in ' || nullif(path, ''), '')),
        '; ' order by seq, path, node_id) from blamed where blamed.run_id = held.id),
      'The worker of this run was lost ${MAX_LOSSES} times.')`,
    end: `status = 'failed', error = judged.message`,
    ended: 't.id, t.waiter',
    followUps: `announced as (${TELL_WAITER('ended')}
), ${WITHDRAW_REVIEWS('ended')}`,
  },
}
