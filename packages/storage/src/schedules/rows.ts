import type { OrganizationId, WorkflowId } from '@troupe/contract'
import { json, nullable, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { ScheduleKey, ScheduleRecord } from './port.ts'

/** The columns of a schedule under the names of its record. */
export const SCHEDULE_COLUMNS = `
  schedules.organization_id as "organizationId", schedules.workflow_id as "workflowId", schedules.node_id as "nodeId",
  schedules.config, schedules.overlap, schedules.catch_up as "catchUp", schedules.next_fire_at as "nextFireAt",
  schedules.waiting_since as "waitingSince", schedules.published_at as "publishedAt"`

/** {@link SCHEDULE_COLUMNS} as a row. */
export const SCHEDULE_ROW = {
  organizationId: uuid<OrganizationId>(),
  workflowId: uuid<WorkflowId>(),
  nodeId: text(),
  config: json<ScheduleRecord['config']>(),
  overlap: text<ScheduleRecord['overlap']>(),
  catchUp: text<ScheduleRecord['catchUp']>(),
  nextFireAt: nullable(timestamp()),
  waitingSince: nullable(timestamp()),
  publishedAt: timestamp(),
}

export type ScheduleRow = RowOfColumns<typeof SCHEDULE_ROW>

export function toScheduleRecord(row: ScheduleRow): ScheduleRecord {
  return {
    ...row,
    nextFireAt: row.nextFireAt?.getTime() ?? null,
    waitingSince: row.waitingSince?.getTime() ?? null,
    publishedAt: row.publishedAt.getTime(),
  }
}

/** A timestamp as a statement parameter. */
export function sqlTimestamp(at: number): string {
  return new Date(at).toISOString()
}

/** A nullable timestamp as a statement parameter. */
export function sqlTimestampOrNull(at: number | null): string | null {
  return at === null ? null : sqlTimestamp(at)
}

/** A unique text key for each schedule. */
export function keyOf({ workflowId, nodeId }: Pick<ScheduleKey, 'workflowId' | 'nodeId'>): string {
  return `${workflowId} ${nodeId}`
}
