import type { OrganizationId, WorkflowId } from '@troupe/contract'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { workflowPins as pins } from '../tables/configuration/pins.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { PinWriter } from './port.ts'

/** Maximum inactive pins of removed steps per workflow; equals the maximum of active pins. */
const MOST_ASIDE = { pins: 100, bytes: 4 * 1024 * 1024 }

/** Maximum recorded removals of later steps with the id of an inactive pin. */
const MOST_COVERED = 100

/** Prefix of a pin's id between two updates. Ids of steps contain no spaces. */
const MOVING = 'moving '

/** The hashes of a row's removed steps. */
const REMOVED = sql`string_to_array(${pins.removedStep}, ',')`

export function pinWriter({ db }: WriteContext): PinWriter {
  const ofSteps = (
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ) =>
    and(
      eq(pins.organizationId, organizationId),
      eq(pins.workflowId, workflowId),
      inArray(pins.nodeId, [...steps.keys()]),
    )
  /** The hash of the step of a row. */
  const stepIn = (steps: ReadonlyMap<string, string>) =>
    sql`${JSON.stringify(Object.fromEntries(steps))}::jsonb ->> ${pins.nodeId}`
  return {
    async put(record) {
      const row = { ...record, updatedAt: sql`now()`, removedStep: null, removedAt: null }
      await db
        .insert(pins)
        .values(row)
        .onConflictDoUpdate({ target: [pins.workflowId, pins.nodeId], set: row })
    },
    async delete(organizationId, workflowId, nodeIds) {
      if (nodeIds.length === 0) return 0
      const gone = await db
        .delete(pins)
        .where(
          and(
            eq(pins.organizationId, organizationId),
            eq(pins.workflowId, workflowId),
            inArray(pins.nodeId, [...nodeIds]),
          ),
        )
        .returning({ nodeId: pins.nodeId })
      return gone.length
    },
    async setAside(organizationId, workflowId, steps) {
      if (steps.size === 0) return []
      const set = await db
        .update(pins)
        .set({ removedStep: stepIn(steps), removedAt: sql`now()` })
        .where(and(ofSteps(organizationId, workflowId, steps), isNull(pins.removedStep)))
        .returning({ nodeId: pins.nodeId })
      if (set.length === 0) return []
      await db.execute(sql`
        delete from workflow_pins p using (
          select node_id, row_number() over newest as place, sum(octet_length(output::text)) over newest as bytes
          from workflow_pins
          where workflow_id = ${workflowId}::uuid and removed_step is not null
          window newest as (order by removed_at desc, node_id)
        ) one
        where p.workflow_id = ${workflowId}::uuid and p.node_id = one.node_id
          and (one.place > ${MOST_ASIDE.pins}::int or one.bytes > ${MOST_ASIDE.bytes}::int)`)
      return set.map(({ nodeId }) => nodeId)
    },
    async bringBack(organizationId, workflowId, steps) {
      if (steps.size === 0) return []
      const earlier = sql`nullif(array_to_string((${REMOVED})[array_position(${REMOVED}, ${stepIn(steps)}) + 1:], ','), '')`
      const found = await db
        .update(pins)
        .set({
          removedStep: earlier,
          removedAt: sql`case when ${earlier} is null then null else ${pins.removedAt} end`,
        })
        .where(
          and(
            ofSteps(organizationId, workflowId, steps),
            sql`array_position(${REMOVED}, ${stepIn(steps)}) is not null`,
          ),
        )
        .returning({ nodeId: pins.nodeId })
      return found.map(({ nodeId }) => nodeId)
    },
    async cover(organizationId, workflowId, steps) {
      if (steps.size === 0) return
      await db
        .update(pins)
        .set({ removedStep: sql`${stepIn(steps)} || ',' || ${pins.removedStep}` })
        .where(
          and(
            ofSteps(organizationId, workflowId, steps),
            isNotNull(pins.removedStep),
            sql`cardinality(${REMOVED}) < ${MOST_COVERED}::int`,
          ),
        )
    },
    async deleteAside(organizationId, workflowId, nodeIds) {
      if (nodeIds.length === 0) return
      await db
        .delete(pins)
        .where(
          and(
            eq(pins.organizationId, organizationId),
            eq(pins.workflowId, workflowId),
            inArray(pins.nodeId, [...nodeIds]),
            isNotNull(pins.removedStep),
          ),
        )
    },
    async move(organizationId, workflowId, newIds) {
      if (newIds.size === 0) return
      const rename = (ids: ReadonlyMap<string, string>) =>
        db
          .update(pins)
          .set({ nodeId: sql`${JSON.stringify(Object.fromEntries(ids))}::jsonb ->> ${pins.nodeId}` })
          .where(
            and(
              eq(pins.organizationId, organizationId),
              eq(pins.workflowId, workflowId),
              inArray(pins.nodeId, [...ids.keys()]),
            ),
          )
      const isPassedOn = [...newIds.values()].some((id) => newIds.has(id))
      if (!isPassedOn) return void (await rename(newIds))
      // PostgreSQL checks a primary key row by row: in a chain or a swap, a pin must not get its new id while another
      // pin still has it.
      const moving = (id: string) => `${MOVING}${id}`
      await rename(new Map([...newIds.keys()].map((id) => [id, moving(id)])))
      await rename(new Map([...newIds].map(([id, newId]) => [moving(id), newId])))
    },
  }
}
