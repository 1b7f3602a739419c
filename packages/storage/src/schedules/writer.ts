import { and, eq, notInArray, type SQL, sql } from 'drizzle-orm'
import { schedules } from '../tables/configuration/schedules.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { ScheduleKey, ScheduleWriter } from './port.ts'

type Owner = Pick<ScheduleKey, 'organizationId' | 'workflowId'>

export function scheduleWriter({ db }: WriteContext): ScheduleWriter {
  const ofWorkflow = ({ organizationId, workflowId }: Owner, also?: SQL) =>
    and(eq(schedules.organizationId, organizationId), eq(schedules.workflowId, workflowId), also)

  /**
   * Records as missed any due or waiting fire that loses its schedule before a scheduler processes it.
   * Schedulers lock the rows while they fire, so each planned time has either started its run or is recorded
   * here.
   */
  const tellUnfired = async ({ organizationId, workflowId }: Owner, now: number, reason: string) => {
    const at = sql`${new Date(now).toISOString()}::timestamptz`
    await db.execute(sql`
      with held as (
        select node_id, next_fire_at, waiting_since from schedules
        where organization_id = ${organizationId}::uuid and workflow_id = ${workflowId}::uuid
        for update
      )
      insert into schedule_fires (organization_id, workflow_id, node_id, scheduled_for, outcome, reason, decided_at)
      select ${organizationId}::uuid, ${workflowId}::uuid, node_id, unfired.at, 'missed', ${reason}, ${at}
      from held cross join lateral (values (next_fire_at), (waiting_since)) unfired (at)
      where unfired.at <= ${at}
      on conflict do nothing`)
  }

  return {
    async replace(owner, kept, { publishedAt, isNewVersion }) {
      if (isNewVersion) {
        await tellUnfired(
          owner,
          publishedAt,
          'The workflow was published again before this fire came to its turn.',
        )
      }
      const gone =
        kept.length > 0
          ? notInArray(
              schedules.nodeId,
              kept.map(({ nodeId }) => nodeId),
            )
          : undefined
      await db.delete(schedules).where(ofWorkflow(owner, gone))
      if (kept.length === 0) return
      const inserted = db.insert(schedules).values(
        kept.map(({ nextFireAt, ...schedule }) => ({
          organizationId: owner.organizationId,
          workflowId: owner.workflowId,
          ...schedule,
          nextFireAt: nextFireAt === null ? null : new Date(nextFireAt),
          publishedAt: new Date(publishedAt),
        })),
      )
      const target = [schedules.workflowId, schedules.nodeId]
      if (!isNewVersion) {
        await inserted.onConflictDoNothing({ target })
        return
      }
      await inserted.onConflictDoUpdate({
        target,
        set: {
          config: sql`excluded.config`,
          overlap: sql`excluded.overlap`,
          catchUp: sql`excluded.catch_up`,
          nextFireAt: sql`excluded.next_fire_at`,
          waitingSince: null,
          publishedAt: sql`excluded.published_at`,
        },
      })
    },
    async remove(owner, now) {
      await tellUnfired(owner, now, 'The workflow was unpublished before this fire came to its turn.')
      await db.delete(schedules).where(ofWorkflow(owner))
    },
  }
}
