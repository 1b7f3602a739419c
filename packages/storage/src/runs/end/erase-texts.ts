import type { RunStore } from '@troupe/agents/ports'
import { number } from '../../sql/client/columns.ts'
import { BATCH, inBatches } from '../../sql/client/in-batches.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/**
 * The normal end of a run erases its texts in the same statement. A run that a cancel or a sweep ended without its
 * worker still has its input, and its members and log still hold what earlier steps wrote. Rows with a live lease are
 * left out: their worker still owes the end of the cancelled run, and that end erases the texts. A worker that settles
 * after its lease has expired writes no texts either.
 */
const ERASE_TEXTS = statement(
  'erase_texts',
  () => `
with erased as (
  update runs set input = null, content = null, citations = null, prompts = null
  where id in (
    select id from runs
    where not store_messages and input is not null and completed_at is not null
      and (lease_until is null or lease_until < now())
    limit ${BATCH} for update skip locked
  )
  returning id
), members as (
  update runs set input = null, content = null from erased where runs.parent_run_id = erased.id returning runs.id
), messages as (
  delete from run_messages where run_id = any (array(select id from erased union all select id from members))
), prompts as (
  delete from run_prompts using erased where run_prompts.run_id = erased.id
), events as (
  delete from run_events using erased where run_events.run_id = erased.id and run_events.seq_from > 1
    and run_events.event not in ('RunError', 'RunCancelled')
), journal as (
  delete from run_steps using erased where run_steps.run_id = erased.id
)
select count(*) as rows from erased`,
).returning({ rows: number() })

export function eraseTexts(client: SqlClient): RunStore['eraseTexts'] {
  return async () => {
    await inBatches(client, ...ERASE_TEXTS({}))
  }
}
