import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { CANCELLED } from '../runs/end/cancel-run.ts'
import { BATCH, inBatches } from '../sql/in-batches.ts'
import type { SqlClient } from '../sql/sql-client.ts'
import { IN_FLIGHT } from './run-rows.ts'

/** Seconds in which a process that is told of the end of a workflow's run ends what it has of it itself. */
const OWN_END_SECONDS = 60

/**
 * The worker of a workflow ends the runs of its nodes before it lets go. What is found here was left by one that died, or
 * by one that does not know yet that the workflow is not its own any more; that one is told, and has a minute to end it
 * with the texts that it has. An ended workflow never comes back, so nothing that is found here can be wanted again.
 */
const END_ORPHANS = {
  name: 'end_orphans_of_workflow_runs',
  text: `
with orphans as (
  select r.id from runs r
    left join lateral (select ${IN_FLIGHT} as in_flight, completed_at from workflow_runs where id = r.workflow_run_id) w on true
  where r.source = 'workflow' and r.status in ('queued', 'running') and w.in_flight is not true
    and (r.lease_until is null or r.lease_until < now()
      or coalesce(w.completed_at, '-infinity') < now() - interval '${OWN_END_SECONDS} s')
  order by r.created_at limit ${BATCH} for update of r skip locked
), ${CANCELLED('id = any (array(select id from orphans))')}
select (select count(*) from ended) as rows, (select count(*) from announced) as announced`,
}

export function endOrphans(client: SqlClient): WorkflowRunStore['endOrphans'] {
  return async () => {
    const answers = await inBatches<{ rows: number }>(client, END_ORPHANS, [])
    return answers.reduce((ended, { rows }) => ended + rows, 0)
  }
}
