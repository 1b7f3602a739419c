import type {
  CommitOutcome,
  WorkflowCommit,
  WorkflowRunStatus,
  WorkflowRunStore,
} from '@troupe/workflows/ports'
import { newReviewRows, OPEN_REVIEWS, WITHDRAW_REVIEWS } from '../reviews/rows/review-rows.ts'
import { boolean, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type Placeholders, type RowOf, statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable } from '../sql/client/storable.ts'
import { ITERATIONS, iterationRows, NODE_RUNS, nodeRunRows } from './node-rows.ts'
import { readHeldStatus, TELL_WAITER } from './run-rows.ts'

type CommitParameter = keyof ReturnType<typeof valuesOf>

function policyOf(p: Placeholders<CommitParameter>): string {
  return `policy as materialized (
  select case when ${p.to} = 'starting' then used_up_budget(organization_id, project_id) end as used_up
  from workflow_runs where id = ${p.runId}::uuid
),`
}

/**
 * The update is the fence: it locks the row, so a takeover, a cancel or the sweeper's end either precedes the
 * commit, which then writes nothing, or follows it.
 *
 * - Against a pause: the commit is written and the run stays paused, but no effect starts (`refused`); a
 *   worker that releases the run loses its lease. Only the resume continues the run, with a new slice.
 * - Against the answer to a review: the `wake` mark keeps the run with its worker when it would have waited
 *   for reviewers. The commit is written, so the worker can drop its copy and reload the run.
 * - A caller that waits in the worker's own process is notified there: commits that NOTIFY queue behind each
 *   other.
 * - A node that made progress has survived its worker, so losses are counted from zero again.
 * - Effects may start (`starting`) while no budget is used up. This statement reads the ledger itself, which
 *   saves a round trip; the usage of the run's own nodes is included, because an effect writes the ledger
 *   before it ends. Two runs that check concurrently may both start: each overruns by at most its work under
 *   way.
 */
function commitRunWith(
  p: Placeholders<CommitParameter>,
  { policy, more, also }: { policy: boolean; more: string; also: string },
): string {
  // Assignments read the old column values. `held`: the worker has not seen a review's answer yet.
  const held = `(status = 'running' and wake and ${p.to} in ('awaiting_approval', 'completed'))`
  const ends = `(status = 'running' and ${p.to} in ('completed', 'failed', 'loop_limit_reached') and not ${held})`
  const yields = `(status = 'running' and ${p.to} = 'yielded')`
  const keepsRun = `(${p.to} in ('running', 'starting') or ${held})`
  const usedUp = policy ? 'used_up' : 'null::text'
  return `
with ${policy ? policyOf(p) : ''} run as (
  update workflow_runs set
    status = case when status = 'paused' or ${p.to} = 'yielded' or ${held} then status when ${usedUp} is not null then 'paused'
      when ${p.to} = 'starting' then 'running' else ${p.to} end,
    pause_reason = case when status = 'paused' then pause_reason else ${usedUp} end,
    output = case when ${ends} then ${p.output}::json end,
    error = case when ${ends} then ${p.error} end,
    completed_at = case when ${ends} then now() end,
    waits_for = case when ${p.to} = 'awaiting_approval' and not wake then ${p.waitsFor} end,
    variables = coalesce(${p.variables}::json, variables),
    slice = slice + ${yields}::int,
    dispatch_due_at = case when ${yields} then ${p.dueAt}::timestamptz end,
    worker_id = case when ${keepsRun} then worker_id end,
    lease_until = case when ${keepsRun} then lease_until end,
    losses = case when ${p.isProgress}::boolean then 0 else losses end
  ${policy ? 'from policy' : ''}
  where id = ${p.runId}::uuid and slice = ${p.slice}::int and worker_id = ${p.workerId} and status in ('running', 'paused')
  returning id, organization_id, project_id, workflow_id, kind, started_by_user_id, status, slice, waiter, completed_at is not null as ended,
    status = 'running' and wake and ${p.to} in ('awaiting_approval', 'completed') as held,
    ${p.to} = 'starting' and status = 'paused' as refused, ${usedUp} is not null as out_of_budget
), ${NODE_RUNS('run', p.nodeRuns, 'not r.refused')}, ${ITERATIONS('run', p.iterations)}${more}
select status, slice, held, out_of_budget${also} from run`
}

const COMMITTED_ROW = {
  status: text<WorkflowRunStatus>(),
  slice: number(),
  held: boolean(),
  /** Whether the effects that were to start were refused. */
  out_of_budget: boolean(),
}

/** The common commit: no effect starts, no review opens, and no other process must be notified. */
const COMMIT_RUN = statement<CommitParameter>('commit_workflow_run', (p) =>
  commitRunWith(p, { policy: false, more: '', also: '' }),
).returning(COMMITTED_ROW)

const COMMIT_STARTING = statement<CommitParameter>('commit_workflow_run_starting', (p) =>
  commitRunWith(p, { policy: true, more: '', also: '' }),
).returning(COMMITTED_ROW)

/** The rare commits that open reviews, end a run that may have open reviews, or notify another process. */
const COMMIT_TELLING = statement<CommitParameter | 'reviews'>('commit_workflow_run_telling', (p) =>
  commitRunWith(p, {
    policy: true,
    more: `, ${OPEN_REVIEWS('run', p.reviews)}, ${WITHDRAW_REVIEWS('run where ended')},
told as (${TELL_WAITER(`run where ended and waiter <> ${p.workerId}`)})`,
    also: ', (select count(*) from told) as told',
  }),
).returning({ ...COMMITTED_ROW, told: number() })

function valuesOf({ fence, to, variables, nodeRuns, starting = [], iterations }: WorkflowCommit) {
  return {
    ...fence,
    to: starting.length > 0 ? 'starting' : to.status,
    output: 'output' in to ? storableJson(to.output ?? null) : null,
    error: 'output' in to ? storableNullable(to.error) : null,
    waitsFor: to.status === 'awaiting_approval' ? storableNullable(to.statusReason) : null,
    variables: variables && storableJson(variables),
    dueAt: to.status === 'yielded' ? new Date(to.dueAt).toISOString() : null,
    isProgress: iterations.length > 0 || nodeRuns.some(({ status }) => status !== 'running'),
    nodeRuns: nodeRunRows(nodeRuns, starting),
    iterations: iterationRows(iterations),
  }
}

function writeCommit(client: SqlClient, commit: WorkflowCommit): Promise<RowOf<typeof COMMIT_RUN>[]> {
  const { reviews = [], starting = [], to, waiter } = commit
  const values = valuesOf(commit)
  // A completed run has no open reviews; any other ended run may have some.
  const mayBeOpen = to.status === 'failed' || to.status === 'loop_limit_reached'
  const isAwaited = to.status === 'completed' && waiter !== null && waiter !== commit.fence.workerId
  if (reviews.length > 0 || mayBeOpen || isAwaited) {
    return client.query(...COMMIT_TELLING({ ...values, reviews: newReviewRows(reviews) }))
  }
  return client.query(...(starting.length > 0 ? COMMIT_STARTING : COMMIT_RUN)(values))
}

export function commitRun(client: SqlClient): WorkflowRunStore['commit'] {
  return async (commit): Promise<CommitOutcome> => {
    const [row] = await writeCommit(client, commit)
    if (!row) {
      return { kind: 'lost', status: await readHeldStatus(client, commit.fence.runId) }
    }
    if (row.out_of_budget) return { kind: 'out_of_budget' }
    if (row.status === 'paused') return { kind: 'paused' }
    return row.held ? { kind: 'wake' } : { kind: 'committed', status: row.status, slice: row.slice }
  }
}
