import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  AvailableModel,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { ProviderConnection } from './chat-models.ts'

/** An agent frozen for a run: later edits are not seen. */
export interface AgentSnapshot {
  agentId: AgentId
  versionId: AgentVersionId
  organizationId: OrganizationId
  projectId: ProjectId | null
  name: string
  /** What the agent is for; null when nobody said. */
  description: string | null
  status: AgentStatus
  config: AgentConfig
}

/** A team frozen for a run, without its agents. */
export interface TeamSnapshot {
  teamId: TeamId
  versionId: TeamVersionId
  organizationId: OrganizationId
  projectId: ProjectId | null
  name: string
  config: TeamConfig
}

/** A model that a configuration offers, with the facts that only the runtime needs. */
export interface CatalogModel extends AvailableModel {
  /** False for models that cannot be forced to call a tool. */
  toolChoice: boolean
  /** US dollars per million tokens; null where no price is known. */
  inputUsdPerMillion: number | null
  cachedInputUsdPerMillion: number | null
  outputUsdPerMillion: number | null
}

/** A connected LLM configuration, ready to be called. Holds decrypted credentials: never log or serialise it. */
export interface UsableLlmConfiguration {
  id: LlmConfigId
  projectId: ProjectId | null
  /** The one that agents without `llm_config_id` take, in its project or its organization. */
  isDefault: boolean
  /** Milliseconds since the epoch; the oldest connected one is the last resort of a default. */
  createdAt: number
  models: readonly CatalogModel[]
  connection: ProviderConnection
}

/** Port: what runs need to know about agents and models. Reads are cached by the adapter. */
export interface AgentCatalog {
  /** The agent with its current version, in any project of the organization; null when the organization has none. */
  agent(organizationId: OrganizationId, agentId: AgentId): Promise<AgentSnapshot | null>
  /** The agent as it was in one of its versions, with its current status and project; null when there is none. */
  agentVersion(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentSnapshot | null>
  /** The team with its current version, in any project of the organization; null when the organization has none. */
  team(organizationId: OrganizationId, teamId: TeamId): Promise<TeamSnapshot | null>
  /** The team as it was in one of its versions; null when there is none. */
  teamVersion(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamSnapshot | null>
  /** Every connected configuration of the organization, oldest first. */
  llmConfigurations(organizationId: OrganizationId): Promise<readonly UsableLlmConfiguration[]>
}
