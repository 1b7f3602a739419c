import type { RunStore } from '@troupe/agents/ports'
import { number } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/**
 * Trims the logs of ended streams and jobs to their first and last row, once per run. A run whose texts were
 * erased keeps only its first row, because the last one repeats the answer. Journals left by a cancel or a
 * lost worker are deleted too.
 */
const TRIM_LOGS = statement<'before'>(
  'trim_logs',
  (p) => `
with trimmed as (
  update runs set log_trimmed = true
  where id in (
    select id from runs
    where source <> 'api_sync' and not log_trimmed and completed_at < ${p.before}::timestamptz
    order by completed_at limit ${BATCH} for update skip locked
  )
  returning id, input is null as erased
), deleted as (
  delete from run_events using trimmed
  where run_events.run_id = trimmed.id and run_events.seq_from > 1 and (trimmed.erased
    or run_events.seq < (select max(seq) from run_events last where last.run_id = trimmed.id))
), journals as (
  delete from run_steps using trimmed where run_steps.run_id = trimmed.id
)
select count(*) as rows from trimmed`,
).returning({ rows: number() })

const DELETE_CLAIMS = statement<'before'>(
  'delete_idempotency_keys',
  (p) => `
with deleted as (
  delete from idempotency_keys
  where (api_key_id, path, key) in (
    select api_key_id, path, key from idempotency_keys
    where created_at < ${p.before}::timestamptz order by created_at limit ${BATCH} for update skip locked
  )
  returning 1
)
select count(*) as rows from deleted`,
).returning({ rows: number() })

export function sweepExpired(client: SqlClient): RunStore['sweepExpired'] {
  return async ({ eventsBefore, idempotencyBefore }) => {
    for (const [sweep, before] of [
      [TRIM_LOGS, eventsBefore],
      [DELETE_CLAIMS, idempotencyBefore],
    ] as const) {
      await inBatches(client, ...sweep({ before: new Date(before).toISOString() }))
    }
  }
}
