import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { ERASE_REVIEWS } from '../reviews/rows/review-rows.ts'
import { number } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/** Runs per statement; each may have thousands of nodes. */
const BATCH = 100

/**
 * The ended runs, oldest first, of an organization whose retention is at most `days`. The index starts with
 * the organization, so runs of organizations with longer retention are not scanned.
 */
function expired(which: string, days: string, now: string): string {
  return `
    select r.id from organizations o, lateral (
      select id from workflow_runs
      where organization_id = o.id and ${which} and completed_at < ${now}::timestamptz - make_interval(days => ${days})
      order by completed_at limit ${BATCH} for update skip locked
    ) r limit ${BATCH}`
}

/** Erases the inputs and outputs of nodes. Their existence, times and errors are kept as long as the run. */
const ERASE_TRACES = statement<'now'>(
  'erase_workflow_traces',
  (p) => `
with erased as (
  update workflow_runs set trace_erased = true
  where id in (${expired('not trace_erased', 'least(o.trace_days, o.run_days)', p.now)}
  )
  returning id
), nodes as (
  update workflow_node_runs n set input = null, output = null from erased
  where n.run_id = erased.id and (n.input is not null or n.output is not null)
), iterations as (
  delete from workflow_iterations i using erased where i.run_id = erased.id
), ${ERASE_REVIEWS('erased')}
select count(*) as rows from erased`,
).returning({ rows: number() })

const DELETE_RUNS = statement<'now'>(
  'delete_workflow_runs',
  (p) => `
with deleted as (
  delete from workflow_runs
  where id in (${expired('trace_erased', 'o.run_days', p.now)}
  )
  returning 1
)
select count(*) as rows from deleted`,
).returning({ rows: number() })

export function sweepExpiredWorkflowRuns(client: SqlClient): WorkflowRunStore['sweepExpired'] {
  return async (now) => {
    for (const sweep of [ERASE_TRACES, DELETE_RUNS]) {
      let rows: number
      do {
        const [row] = await client.query(...sweep({ now: new Date(now).toISOString() }))
        rows = row?.rows ?? 0
      } while (rows === BATCH)
    }
  }
}
