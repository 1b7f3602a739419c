import { and, count, desc, eq } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { userMemories } from '../tables/runs/user-memories.ts'
import type { UserMemoryReader, UserMemoryRecord } from './port.ts'

const columns = {
  id: userMemories.id,
  organizationId: userMemories.organizationId,
  projectId: userMemories.projectId,
  kind: userMemories.kind,
  entityId: userMemories.entityId,
  userId: userMemories.userId,
  text: userMemories.text,
  createdAt: userMemories.createdAt,
  updatedAt: userMemories.updatedAt,
}

export function userMemoryReader(db: Drizzle): UserMemoryReader {
  return {
    async page({ organizationId, projectId }, { userId, agentId }, page) {
      const where = and(
        eq(userMemories.organizationId, organizationId),
        projectId === null ? undefined : eq(userMemories.projectId, projectId),
        userId === null ? undefined : eq(userMemories.userId, userId),
        agentId === null
          ? undefined
          : and(eq(userMemories.kind, 'agent'), eq(userMemories.entityId, agentId)),
      )
      const rows = await db
        .select(columns)
        .from(userMemories)
        .where(where)
        .orderBy(desc(userMemories.updatedAt), desc(userMemories.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows as UserMemoryRecord[], () =>
        db.select({ total: count() }).from(userMemories).where(where),
      )
    },
    async byId(organizationId, id) {
      const [row] = await db
        .select(columns)
        .from(userMemories)
        .where(and(eq(userMemories.organizationId, organizationId), eq(userMemories.id, id)))
      return (row as UserMemoryRecord | undefined) ?? null
    },
  }
}
