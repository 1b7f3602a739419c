import { checkedId, WorkflowId } from '@troupe/contract'
import { text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'
import type { RenewedSchedule, ScheduleRecord, ScheduleStore } from './port.ts'
import {
  keyOf,
  SCHEDULE_COLUMNS,
  SCHEDULE_ROW,
  type ScheduleRow,
  sqlTimestamp,
  sqlTimestampOrNull,
  toScheduleRecord,
} from './rows.ts'

/** Rows per page; each costs a fraction of a millisecond of arithmetic. */
const PAGE = 500

const LIST_NOT_DUE = statement<'now' | 'workflowId' | 'nodeId'>(
  'list_schedules_that_are_not_due',
  (p) => `
select ${SCHEDULE_COLUMNS} from schedules
where (next_fire_at is null or next_fire_at > ${p.now}::timestamptz) and (workflow_id, node_id) > (${p.workflowId}::uuid, ${p.nodeId}::text)
order by workflow_id, node_id limit ${PAGE}`,
).returning(SCHEDULE_ROW)

/** A schedule that was published or fired since it was read is skipped. */
const RENEW = statement<'now' | 'renewed'>(
  'renew_schedules',
  (p) => `
update schedules set next_fire_at = renewed."to", published_at = least(published_at, ${p.now}::timestamptz)
from json_to_recordset(${p.renewed}::json) as renewed("workflowId" uuid, "nodeId" text, "from" timestamptz, "to" timestamptz,
  "publishedAt" timestamptz)
where schedules.workflow_id = renewed."workflowId" and schedules.node_id = renewed."nodeId"
  and schedules.next_fire_at is not distinct from renewed."from"
  and schedules.published_at = renewed."publishedAt"
returning schedules.workflow_id as "workflowId", schedules.node_id as "nodeId"`,
).returning({ workflowId: uuid<ScheduleRecord['workflowId']>(), nodeId: text() })

const BEFORE_ALL = {
  workflowId: checkedId(WorkflowId, '00000000-0000-0000-0000-000000000000'),
  nodeId: '',
}

export function renewSchedules(client: SqlClient): ScheduleStore['renew'] {
  return async (now, next) => {
    const changed: RenewedSchedule[] = []
    let last: { workflowId: WorkflowId; nodeId: string } | undefined = BEFORE_ALL
    while (last) {
      const rows: ScheduleRow[] = await client.query(...LIST_NOT_DUE({ now: sqlTimestamp(now), ...last }))
      changed.push(...(await renewPage(client, now, rows.map(toScheduleRecord), next)))
      last = rows.length === PAGE ? rows.at(-1) : undefined
    }
    return changed
  }
}

async function renewPage(
  client: SqlClient,
  now: number,
  page: readonly ScheduleRecord[],
  next: (schedule: ScheduleRecord) => number | null,
): Promise<RenewedSchedule[]> {
  const found = page
    .map((schedule) => ({ schedule, to: next(schedule) }))
    .filter(({ schedule, to }) => to !== schedule.nextFireAt || schedule.publishedAt > now)
  if (found.length === 0) return []
  const rows = found.map(({ schedule: { workflowId, nodeId, nextFireAt, publishedAt }, to }) => ({
    workflowId,
    nodeId,
    from: sqlTimestampOrNull(nextFireAt),
    to: sqlTimestampOrNull(to),
    publishedAt: sqlTimestamp(publishedAt),
  }))
  const written = await client.query(...RENEW({ now: sqlTimestamp(now), renewed: storableJson(rows) }))
  const isWritten = new Set(written.map(keyOf))
  return found.flatMap(({ schedule: { organizationId, workflowId, nodeId, nextFireAt: from }, to }) =>
    isWritten.has(keyOf({ workflowId, nodeId })) && from !== to
      ? [{ organizationId, workflowId, nodeId, from, to }]
      : [],
  )
}
