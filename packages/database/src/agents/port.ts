import type { Scope } from '@troupe/agents/ports'
import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  OrganizationId,
  ProjectId,
} from '@troupe/contract'
import type { Actor } from '../audit/port.ts'

export interface AgentRecord {
  id: AgentId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Set for agents that bundles address; null for agents made by the API. */
  slug: string | null
  name: string
  description: string | null
  status: AgentStatus
  config: AgentConfig
  configSchemaVersion: number
  versionId: AgentVersionId
  createdAt: Date
  updatedAt: Date
}

export interface AgentReader {
  /** In any project of the organization (the caller decides between 403 and 404). */
  byId(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** Those that exist, in no order. */
  byIds(organizationId: OrganizationId, ids: readonly AgentId[]): Promise<AgentRecord[]>
  /**
   * The agent as it was in one of its versions: name, description and configuration of the version, everything else
   * of the agent as it is now.
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
  /** Writes the changed fields and the next version snapshot. */
  update(
    record: Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
    createdBy: Actor,
  ): Promise<AgentRecord>
}
