import type { RunnableKind, Scope } from '@troupe/agents/ports'
import type { AgentId, MemoryId, OrganizationId, ProjectId, TeamId } from '@troupe/contract'

export interface UserMemoryRecord {
  id: MemoryId
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  userId: string
  text: string
  createdAt: Date
  updatedAt: Date
}

export interface UserMemoryReader {
  /** Newest first; `total` is exact. A project scope sees its own only. null: any. */
  page(
    scope: Scope,
    filter: { userId: string | null; agentId: AgentId | null },
    page: { page: number; limit: number },
  ): Promise<{ rows: UserMemoryRecord[]; total: number }>
  /** In any project of the organization. */
  byId(organizationId: OrganizationId, id: MemoryId): Promise<UserMemoryRecord | null>
}

export interface UserMemoryWriter {
  /** False when another request has deleted it. */
  delete(organizationId: OrganizationId, id: MemoryId): Promise<boolean>
  /**
   * Deletes all memories about a user, and the texts of ended runs from which they could be learned again. A project
   * scope limits this to its project. Returns the number of deleted memories.
   */
  forgetUser(scope: Scope, userId: string): Promise<number>
}
