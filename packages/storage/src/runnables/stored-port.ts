import type { Scope } from '@troupe/agents/ports'
import type { AgentStatus, OrganizationId, ProjectId } from '@troupe/contract'
import type { Actor } from '../audit/port.ts'
import type { agents } from '../tables/configuration/agents.ts'
import type { teams } from '../tables/configuration/teams.ts'

/** A row of the table; the slug is set for agents addressed by bundles. */
export type AgentRecord = Omit<typeof agents.$inferSelect, 'versionNumber'>

/** A row of the table; the slug is set for teams addressed by bundles. */
export type TeamRecord = Omit<typeof teams.$inferSelect, 'versionNumber'>

/** The columns that the writer is given; it sets the others. */
export type Unwritten<R> = Omit<R, 'versionId' | 'createdAt' | 'updatedAt'>

/** Reads agents, or teams. */
export interface StoredReader<R extends AgentRecord | TeamRecord> {
  /** In any project of the organization (the caller decides between 403 and 404). */
  byId(organizationId: OrganizationId, id: R['id']): Promise<R | null>
  /** The existing ones among these ids, in no particular order. */
  byIds(organizationId: OrganizationId, ids: readonly R['id'][]): Promise<R[]>
  /**
   * Newest first; `total` is exact. `projectId` narrows an organization-scoped caller; a project scope always wins. Only
   * agents have a status.
   */
  page(
    scope: Scope,
    filter: { status?: AgentStatus | null; projectId: ProjectId | null; page: number; limit: number },
  ): Promise<{ rows: R[]; total: number }>
  /** All that have a slug. */
  list(organizationId: OrganizationId): Promise<R[]>
}

/** Writes agents, or teams. */
export interface StoredWriter<R extends AgentRecord | TeamRecord> {
  /** Locked until the transaction ends, so that two concurrent updates merge one after the other. */
  lock(organizationId: OrganizationId, id: R['id']): Promise<R | null>
  /** Inserts it with its version 1. */
  insert(record: Unwritten<R>, createdBy: Actor): Promise<R>
  /** Writes the changed fields and the next version. */
  update(record: Unwritten<R>, createdBy: Actor): Promise<R>
}
