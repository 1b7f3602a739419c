import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { CANCELLED } from '../runs/end/cancel-run.ts'
import { number } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { IN_FLIGHT } from './run-rows.ts'

/** Seconds that a worker has, after its workflow's run ended elsewhere, to end the node runs itself. */
const OWN_END_SECONDS = 60

/**
 * A workflow's worker ends the runs of its nodes before it releases the workflow. An orphan was left by a
 * worker that died, or belongs to one that has not yet noticed the end; that worker is notified and has a
 * minute to end the run with its texts. An ended workflow never restarts, so no orphan can be needed again.
 */
const END_ORPHANS = statement(
  'end_orphans_of_workflow_runs',
  () => `
with orphans as (
  select r.id from runs r
    left join lateral (select ${IN_FLIGHT} as in_flight, completed_at from workflow_runs where id = r.workflow_run_id) w on true
  where r.source = 'workflow' and r.status in ('queued', 'running') and w.in_flight is not true
    and (r.lease_until is null or r.lease_until < now()
      or coalesce(w.completed_at, '-infinity') < now() - interval '${OWN_END_SECONDS} s')
  order by r.created_at limit ${BATCH} for update of r skip locked
), ${CANCELLED('id = any (array(select id from orphans))')}
select (select count(*) from ended) as rows, (select count(*) from announced) as announced`,
).returning({ rows: number(), announced: number() })

export function endOrphans(client: SqlClient): WorkflowRunStore['endOrphans'] {
  return async () => {
    const answers = await inBatches(client, ...END_ORPHANS({}))
    return answers.reduce((ended, { rows }) => ended + rows, 0)
  }
}
