import type { JobStore } from '@troupe/agents/ports'
import { approvalRow, OPENED_APPROVAL } from '../../approvals/rows.ts'
import { boolean } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import { storableJson, storableText } from '../../sql/client/storable.ts'
import {
  USAGE_COLUMNS,
  USAGE_RECORDSET,
  USAGE_RUN_COLUMNS,
  usageRows,
  usageRunValues,
  usageValues,
} from '../../usage-ledger/usage-rows.ts'
import { APPENDED_EVENTS, storableJsonOfEvents } from '../events/stored-events.ts'
import { MEMBERS, memberRows, PARENT_COLUMNS } from '../rows/member-rows.ts'
import { PROMPTS, promptRows } from '../rows/prompt-rows.ts'

/**
 * The update is the fence: it locks the row, so a takeover, a cancel or an end either precedes the step,
 * which then writes nothing, or follows it. Idempotent: a step committed again because its answer was lost
 * finds its key, so its ledger rows are not written twice.
 */
type StepParameter =
  | 'runId'
  | 'workerId'
  | 'slice'
  | 'key'
  | 'step'
  | 'version'
  | 'output'
  | 'usage'
  | 'prompts'
  | 'members'
  | 'events'

const commit = (p: Placeholders<StepParameter>, more: string) => `
with run as (
  update runs set losses = 0
  where id = ${p.runId}::uuid and source in ('api_async', 'workflow') and status = 'running' and worker_id = ${p.workerId} and slice = ${p.slice}::int
  returning ${PARENT_COLUMNS}
), step as (
  insert into run_steps (run_id, key, organization_id, name, version, output)
  select id, ${p.key}, organization_id, ${p.step}, ${p.version}::int, ${p.output}::json from run
  on conflict do nothing
  returning run_id
), ledger as (
  insert into usage_records (${USAGE_RUN_COLUMNS}, user_id, tag, ${USAGE_COLUMNS})
  select ${usageRunValues('run')}, run.user_id, run.tag, ${usageValues('run.store_messages')}
  from run join step on step.run_id = run.id, ${USAGE_RECORDSET(p.usage)}
), prompted as (
  select run.id, run.organization_id from run join step on step.run_id = run.id where run.store_messages
), ${PROMPTS('prompted', p.prompts)}, ${MEMBERS('run', p.members)}, log as (${APPENDED_EVENTS('run', p.events)}
)${more}
select exists (select from run) as committed`

const COMMIT_STEP = statement<StepParameter>('commit_step', (p) => commit(p, '')).returning({
  committed: boolean(),
})

/** The same for a step that opens an approval, which is rare. */
const COMMIT_APPROVAL = statement<StepParameter | 'approval'>('commit_approval', (p) =>
  commit(p, `, approval as (${OPENED_APPROVAL('run', p.approval)}\n)`),
).returning({ committed: boolean() })

export function commitStep(client: SqlClient): JobStore['commitStep'] {
  return async (step) => {
    const values = {
      runId: step.runId,
      ...step.fence,
      key: storableText(step.key),
      step: step.step.name,
      version: step.step.version,
      output: storableJson(step.step.output ?? null),
      usage: usageRows(step.usage),
      prompts: promptRows(step.prompts),
      // Privacy applies at the end of the run, which erases what its steps have written.
      members: memberRows(step.members, true),
      events: storableJsonOfEvents(step.events),
    }
    const { approval } = step
    const [row] = await client.query(
      ...(approval ? COMMIT_APPROVAL({ ...values, approval: approvalRow(approval) }) : COMMIT_STEP(values)),
    )
    return row?.committed ?? false
  }
}
