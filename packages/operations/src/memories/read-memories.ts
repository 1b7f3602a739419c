import type { Scope } from '@troupe/agents/ports'
import {
  AgentId,
  checkedId,
  DomainError,
  type IdText,
  MemoryId,
  type OPERATIONS,
  parseId,
  type QueryOf,
  type ResultOf,
  TeamId,
  type UserMemory,
} from '@troupe/contract'
import type { Readers, UserMemoryRecord } from '@troupe/storage'

type ListMemories = (typeof OPERATIONS)['listMemories']

function presentMemory({ id, kind, entityId, userId, text, ...row }: UserMemoryRecord): UserMemory {
  return {
    memoryId: id,
    agentId: kind === 'agent' ? checkedId(AgentId, entityId) : null,
    teamId: kind === 'team' ? checkedId(TeamId, entityId) : null,
    userId,
    text,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** One page of memories about users, newest first. A project scope sees only its own project's. */
export async function listMemories(
  { memories }: Pick<Readers, 'memories'>,
  scope: Scope,
  { page = 1, limit = 20, user_id, agent_id }: QueryOf<ListMemories>,
): Promise<ResultOf<ListMemories>> {
  const { rows, total } = await memories.page(
    scope,
    { userId: user_id ?? null, agentId: agent_id === undefined ? null : checkedId(AgentId, agent_id) },
    { page, limit },
  )
  return { data: rows.map(presentMemory), total, page, limit }
}

/** @throws DomainError `memory_not_found`, or `forbidden` for one outside the project of a project scope */
export async function findMemory(
  { memories }: Pick<Readers, 'memories'>,
  { organizationId, projectId }: Scope,
  memoryId: IdText<MemoryId>,
): Promise<UserMemoryRecord> {
  const id = parseId(MemoryId, memoryId)
  const memory = id && (await memories.byId(organizationId, id))
  if (!memory) throw memoryNotFound()
  if (projectId !== null && memory.projectId !== projectId) {
    throw new DomainError('forbidden', 'The memory does not belong to the project of this API key.')
  }
  return memory
}

/** Also for memories of other organizations: all look the same. */
export function memoryNotFound(): DomainError {
  return new DomainError('memory_not_found', 'Memory not found in this organization.')
}
