import type { Scope } from '@troupe/agents/ports'
import type {
  AgentId,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamId,
  TeamRole,
  TeamVersionId,
} from '@troupe/contract'
import type { Actor } from '../audit/port.ts'

export interface TeamRecord {
  id: TeamId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Slug in bundles; null for teams made in the builder. */
  slug: string | null
  name: string
  description: string | null
  config: TeamConfig
  configSchemaVersion: number
  versionId: TeamVersionId
  createdAt: Date
  updatedAt: Date
}

/** A snapshot of a team. It never changes; only its project is the team's current one. */
export interface TeamVersionRecord {
  id: TeamVersionId
  organizationId: OrganizationId
  projectId: ProjectId | null
  teamId: TeamId
  /** Counts from 1 within the team; null for a draft of the playground. */
  n: number | null
  name: string
  description: string | null
  config: TeamConfig
  configSchemaVersion: number
  createdBy: Pick<Actor, 'kind' | 'id'>
  createdAt: Date
}

/** A team that an agent leads or belongs to. */
export interface TeamOfAgent {
  teamId: TeamId
  projectId: ProjectId | null
  name: string
  role: TeamRole
}

export interface TeamReader {
  /** In any project of the organization (the caller decides between 403 and 404). */
  byId(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
  /** The existing ones of the organization, in no particular order. */
  byIds(organizationId: OrganizationId, ids: readonly TeamId[]): Promise<TeamRecord[]>
  /** Newest first; `total` is exact. `projectId` narrows an organization-scoped caller; a project scope always wins. */
  page(
    scope: Scope,
    filter: { projectId: ProjectId | null; page: number; limit: number },
  ): Promise<{ rows: TeamRecord[]; total: number }>
  /** Every team with a slug of an organization. */
  list(organizationId: OrganizationId): Promise<TeamRecord[]>
  versionById(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamVersionRecord | null>
  /** The teams whose current version names the agent, by name. */
  teamsOf(organizationId: OrganizationId, agentId: AgentId): Promise<TeamOfAgent[]>
}

/**
 * Teams and their agents. Before they read, callers that write a team must hold the organization, and callers that
 * archive an agent must lock it (`organizations.hold`, `organizations.lock`), so that neither misses the other's
 * change.
 */
export interface TeamWriter {
  /** The team, locked until the transaction ends, so that two updates merge one after the other. */
  lock(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
  /** Inserts the team and its version 1. Throws SqlError 23503 if an agent is not of the organization. */
  insert(
    record: Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
    createdBy: Actor,
  ): Promise<TeamRecord>
  /** Writes the changed fields and the next version snapshot. Throws like `insert`. */
  update(
    record: Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
    createdBy: Actor,
  ): Promise<TeamRecord>
  /** Deletes the team with its versions; its runs and sessions are kept. */
  delete(organizationId: OrganizationId, id: TeamId): Promise<void>
}
