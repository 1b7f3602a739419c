import type { AgentId, OrganizationId, ProjectId, TeamId, TeamRole, TeamVersionId } from '@troupe/contract'
import type { StoredReader, StoredWriter, TeamRecord } from '../runnables/stored-port.ts'

/** A team that an agent leads or belongs to. */
export interface TeamOfAgent {
  teamId: TeamId
  projectId: ProjectId | null
  name: string
  role: TeamRole
}

export interface TeamReader extends StoredReader<TeamRecord> {
  /** The team as of one of its versions, as for agents. */
  versionById(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamRecord | null>
  /** The teams whose current version names the agent, by name. */
  teamsOf(organizationId: OrganizationId, agentId: AgentId): Promise<TeamOfAgent[]>
}

/**
 * Teams and their agents; `insert` and `update` throw SqlError 23503 if an agent is not of the organization. Before
 * they read, callers that write a team must hold the organization, and callers that archive an agent must lock it
 * (`organizations.hold`, `organizations.lock`), so that neither misses the other's change.
 */
export interface TeamWriter extends StoredWriter<TeamRecord> {
  /** Deletes the team with its versions; its runs and sessions are kept. */
  delete(organizationId: OrganizationId, id: TeamId): Promise<void>
}
