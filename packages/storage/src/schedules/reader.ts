import { and, asc, desc, eq } from 'drizzle-orm'
import { scheduleFires, schedules } from '../tables/configuration/schedules.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { ScheduleReader } from './port.ts'

export function scheduleReader(db: Drizzle): ScheduleReader {
  return {
    async ofWorkflow(organizationId, workflowId) {
      const rows = await db
        .select()
        .from(schedules)
        .where(and(eq(schedules.organizationId, organizationId), eq(schedules.workflowId, workflowId)))
        .orderBy(asc(schedules.nodeId))
      return rows.map((row) => ({
        ...row,
        organizationId,
        workflowId,
        nextFireAt: row.nextFireAt?.getTime() ?? null,
        waitingSince: row.waitingSince?.getTime() ?? null,
        publishedAt: row.publishedAt.getTime(),
      }))
    },
    async fires(organizationId, workflowId, limit) {
      const { nodeId, scheduledFor, outcome, executionId, reason, decidedAt } = scheduleFires
      const rows = await db
        .select({ nodeId, scheduledFor, outcome, executionId, reason, decidedAt })
        .from(scheduleFires)
        .where(
          and(eq(scheduleFires.organizationId, organizationId), eq(scheduleFires.workflowId, workflowId)),
        )
        .orderBy(desc(scheduledFor), asc(nodeId))
        .limit(limit)
      return rows.map((row) => ({
        ...row,
        scheduledFor: row.scheduledFor.getTime(),
        decidedAt: row.decidedAt.getTime(),
      }))
    },
  }
}
