import type { JobStore } from '@troupe/agents/ports'
import type { SqlClient } from '../../sql/sql-client.ts'
import { storableJson, storableText } from '../../sql/storable.ts'
import { USAGE_COLUMNS, USAGE_RECORDSET, usageRows } from '../../usage/usage-rows.ts'
import { APPENDED_EVENTS, storableJsonOfEvents } from '../events/stored-events.ts'
import { MEMBERS, memberRows, PARENT_COLUMNS } from '../rows/member-rows.ts'

/**
 * The update is the fence: it locks the row, so a takeover, a cancel or an end comes wholly before the step, which then
 * writes nothing, or wholly after it. A step that is committed again because its answer was lost finds its key: its
 * ledger rows are not written twice.
 */
const COMMIT_STEP = {
  name: 'commit_step',
  text: `
with run as (
  update runs set losses = 0
  where id = $1::uuid and source in ('api_async', 'workflow') and status = 'running' and worker_id = $2 and slice = $3::int
  returning ${PARENT_COLUMNS}
), step as (
  insert into run_steps (run_id, key, organization_id, output)
  select id, $4, organization_id, $5::json from run
  on conflict do nothing
  returning run_id
), ledger as (
  insert into usage_records (organization_id, project_id, run_id, user_id, tag, ${USAGE_COLUMNS})
  select run.organization_id, run.project_id, run.id, run.user_id, run.tag, ${USAGE_COLUMNS}
  from run join step on step.run_id = run.id, ${USAGE_RECORDSET('$6')}
), ${MEMBERS('run', '$7')}, log as (${APPENDED_EVENTS('run', '$8')}
)
select exists (select from run) as committed`,
}

export function commitStep(client: SqlClient): JobStore['commitStep'] {
  return async (step) => {
    const [row] = await client.query<{ committed: boolean }>(COMMIT_STEP, [
      step.runId,
      step.fence.workerId,
      step.fence.slice,
      storableText(step.key),
      storableJson(step.output ?? null),
      usageRows(step.usage),
      // Privacy is a matter of the end: it erases what its steps have written.
      memberRows(step.members, true),
      storableJsonOfEvents(step.events),
    ])
    return row?.committed ?? false
  }
}
