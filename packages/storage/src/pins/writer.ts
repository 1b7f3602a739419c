import { and, eq, inArray, sql } from 'drizzle-orm'
import { workflowPins as pins } from '../tables/configuration/pins.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { PinWriter } from './port.ts'

export function pinWriter({ db }: WriteContext): PinWriter {
  return {
    async put(record) {
      const row = { ...record, updatedAt: sql`now()` }
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
    async move(organizationId, workflowId, newIds) {
      if (newIds.size === 0) return
      await db
        .update(pins)
        .set({ nodeId: sql`${JSON.stringify(Object.fromEntries(newIds))}::jsonb ->> ${pins.nodeId}` })
        .where(
          and(
            eq(pins.organizationId, organizationId),
            eq(pins.workflowId, workflowId),
            inArray(pins.nodeId, [...newIds.keys()]),
          ),
        )
    },
  }
}
