import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { fireSchedules } from './fire-schedules.ts'
import type { ScheduleStore } from './port.ts'
import { renewSchedules } from './renew-schedules.ts'
import { sqlTimestamp } from './rows.ts'

const PENDING = {
  name: 'pending_schedules',
  text: `
select exists (select from schedules where next_fire_at <= $1::timestamptz) as due,
  exists (select from schedules where waiting_since <= $1::timestamptz) as waiting`,
}

const DELETE_FIRES = {
  name: 'delete_schedule_fires',
  text: `
with deleted as (
  delete from schedule_fires
  where (workflow_id, node_id, scheduled_for) in (
    select workflow_id, node_id, scheduled_for from schedule_fires
    where decided_at < $1::timestamptz
    order by decided_at limit ${BATCH} for update skip locked
  )
  returning 1
)
select count(*) as rows from deleted`,
}

/** Schedules and their ledger as hand-written SQL: one transaction for each batch of fires. */
export function scheduleStore(driver: SqlDriver): ScheduleStore {
  return {
    async pending(now) {
      const [row] = await driver.query<{ due: boolean; waiting: boolean }>(PENDING, [sqlTimestamp(now)])
      return { due: row?.due ?? false, waiting: row?.waiting ?? false }
    },
    fire: fireSchedules(driver),
    renew: renewSchedules(driver),
    async sweepExpired(before) {
      await inBatches(driver, DELETE_FIRES, [sqlTimestamp(before)])
    },
  }
}
