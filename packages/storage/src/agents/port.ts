import type { Scope } from '@troupe/agents/ports'
import type { AgentId, AgentStatus, AgentVersionId, OrganizationId, ProjectId } from '@troupe/contract'
import type { Actor } from '../audit/port.ts'
import type { agents } from '../tables/configuration/agents.ts'

/** A row of the table; the slug is set for agents that bundles address. */
export type AgentRecord = Omit<typeof agents.$inferSelect, 'versionNumber'>

export interface AgentReader {
  /** In any project of the organization (the caller decides between 403 and 404). */
  byId(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** The existing agents among these ids, in no particular order. */
  byIds(organizationId: OrganizationId, ids: readonly AgentId[]): Promise<AgentRecord[]>
  /**
   * The agent as of one of its versions: name, description and configuration are the version's, all other
   * fields are current.
   */
  versionById(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentRecord | null>
  /** Newest first; `total` is exact. `projectId` narrows an organization-scoped caller; a project scope always wins. */
  page(
    scope: Scope,
    filter: { status: AgentStatus | null; projectId: ProjectId | null; page: number; limit: number },
  ): Promise<{ rows: AgentRecord[]; total: number }>
  /** Every agent with a slug of an organization. */
  list(organizationId: OrganizationId): Promise<AgentRecord[]>
}

export interface AgentWriter {
  /** The agent, locked until the transaction ends, so that two updates merge one after the other. */
  lock(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** Inserts the agent and its version 1. */
  insert(
    record: Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
    createdBy: Actor,
  ): Promise<AgentRecord>
  /** Sets the status, which belongs to no version. */
  setStatus(organizationId: OrganizationId, id: AgentId, status: AgentStatus): Promise<AgentRecord>
  /** Writes the changed fields and the next version snapshot. */
  update(
    record: Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
    createdBy: Actor,
  ): Promise<AgentRecord>
}
