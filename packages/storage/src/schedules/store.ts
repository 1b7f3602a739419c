import { boolean, number } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { fireSchedules } from './fire-schedules.ts'
import type { ScheduleStore } from './port.ts'
import { renewSchedules } from './renew-schedules.ts'
import { sqlTimestamp } from './rows.ts'

const PENDING = statement<'now'>(
  'pending_schedules',
  (p) => `
select exists (select from schedules where next_fire_at <= ${p.now}::timestamptz) as due,
  exists (select from schedules where waiting_since <= ${p.now}::timestamptz) as waiting`,
).returning({ due: boolean(), waiting: boolean() })

const DELETE_FIRES = statement<'before'>(
  'delete_schedule_fires',
  (p) => `
with deleted as (
  delete from schedule_fires
  where (workflow_id, node_id, scheduled_for) in (
    select workflow_id, node_id, scheduled_for from schedule_fires
    where decided_at < ${p.before}::timestamptz
    order by decided_at limit ${BATCH} for update skip locked
  )
  returning 1
)
select count(*) as rows from deleted`,
).returning({ rows: number() })

/** Schedules and their ledger as hand-written SQL: one transaction for each batch of fires. */
export function scheduleStore(driver: SqlDriver): ScheduleStore {
  return {
    async pending(now) {
      const [row] = await driver.query(...PENDING({ now: sqlTimestamp(now) }))
      return { due: row?.due ?? false, waiting: row?.waiting ?? false }
    },
    fire: fireSchedules(driver),
    renew: renewSchedules(driver),
    async sweepExpired(before) {
      await inBatches(driver, ...DELETE_FIRES({ before: sqlTimestamp(before) }))
    },
  }
}
