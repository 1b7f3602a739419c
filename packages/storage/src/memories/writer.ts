import { and, eq, sql } from 'drizzle-orm'
import { storableText } from '../sql/client/storable.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { userMemories } from '../tables/runs/user-memories.ts'
import type { UserMemoryWriter } from './port.ts'

export function userMemoryWriter({ db }: Pick<WriteContext, 'db'>): UserMemoryWriter {
  return {
    async delete(organizationId, id) {
      const deleted = await db
        .delete(userMemories)
        .where(and(eq(userMemories.organizationId, organizationId), eq(userMemories.id, id)))
        .returning({ id: userMemories.id })
      return deleted.length > 0
    },
    async forgetUser({ organizationId, projectId }, userId) {
      // First: voids the claim of a process that is learning from a run, or waits for it.
      await db.execute(sql`
        update runs set memory_due_at = null
        where memory_due_at is not null and organization_id = ${organizationId} and user_id = ${storableText(userId)}
          and (${projectId}::uuid is null or project_id = ${projectId}::uuid)`)
      await db.execute(sql`
        select pg_advisory_xact_lock(3, hashtext(${organizationId}::text || ' ' || ${storableText(userId)}::text))`)
      const deleted = await db
        .delete(userMemories)
        .where(
          and(
            eq(userMemories.organizationId, organizationId),
            eq(userMemories.userId, userId),
            projectId === null ? undefined : eq(userMemories.projectId, projectId),
          ),
        )
        .returning({ id: userMemories.id })
      return deleted.length
    },
  }
}
