import { createHash } from 'node:crypto'
import type { Scope } from '@troupe/agents/ports'
import type { IdText, MemoryId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { findMemory, memoryNotFound } from './read-memories.ts'

type Parts = { database: Pick<Database, 'transaction'> }

/** Deletes one memory. @throws DomainError as {@link findMemory} */
export async function deleteMemory(
  { database }: Parts,
  scope: Scope,
  actor: Actor,
  memoryId: IdText<MemoryId>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    const { id, organizationId, projectId, kind, entityId } = await findMemory(read, scope, memoryId)
    if (!(await write.memories.delete(organizationId, id))) throw memoryNotFound()
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'memory.deleted',
      entityKind: 'memory',
      entityId: id,
      // The audit entry names neither the text nor the user, because both are erased.
      before: { kind, entityId },
      after: null,
    })
  })
}

/**
 * Deletes all memories about a user, and the texts of ended runs from which they could be learned again; with a project
 * scope, only in its project. The audit log identifies the user by a hash.
 */
export async function forgetUser(
  { database }: Parts,
  scope: Scope,
  actor: Actor,
  userId: string,
): Promise<void> {
  await database.transaction(async ({ write }) => {
    const memories = await write.memories.forgetUser(scope, userId)
    await write.audit.append({
      ...scope,
      actor,
      action: 'user.forgotten',
      entityKind: 'user_memories',
      entityId: createHash('sha256').update(userId).digest('hex'),
      before: { memories },
      after: null,
    })
  })
}
