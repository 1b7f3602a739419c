import type { WorkflowRunStore } from '@troupe/runtime/ports'
import type { SqlClient } from '../sql/sql-client.ts'

/** Runs per statement; each may have thousands of nodes. */
const BATCH = 100

/** What nodes were given and gave. That they ran, when, and what went wrong stays as long as the run. */
const ERASE_TRACES = {
  name: 'erase_workflow_traces',
  text: `
with erased as (
  update workflow_runs set trace_erased = true
  where id in (
    select id from workflow_runs
    where not trace_erased and completed_at < $1::timestamptz
    order by completed_at limit ${BATCH} for update skip locked
  )
  returning id
), nodes as (
  update workflow_node_runs n set input = null, output = null from erased
  where n.run_id = erased.id and (n.input is not null or n.output is not null)
), iterations as (
  delete from workflow_iterations i using erased where i.run_id = erased.id
)
select count(*) as rows from erased`,
}

const DELETE_RUNS = {
  name: 'delete_workflow_runs',
  text: `
with deleted as (
  delete from workflow_runs
  where id in (
    select id from workflow_runs
    where trace_erased and completed_at < $1::timestamptz
    order by completed_at limit ${BATCH} for update skip locked
  )
  returning 1
)
select count(*) as rows from deleted`,
}

export function sweepExpired(client: SqlClient): WorkflowRunStore['sweepExpired'] {
  return async ({ traces, runs }) => {
    for (const [statement, before] of [
      [ERASE_TRACES, Math.max(traces, runs)],
      [DELETE_RUNS, runs],
    ] as const) {
      let rows: number
      do {
        const [row] = await client.query<{ rows: number }>(statement, [new Date(before).toISOString()])
        rows = row?.rows ?? 0
      } while (rows === BATCH)
    }
  }
}
