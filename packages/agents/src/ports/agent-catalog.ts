import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  AvailableModel,
  LlmConfigId,
  ModelKind,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { ProviderConnection } from './chat-models.ts'

/** An agent frozen for a run: later edits have no effect on it. */
export interface AgentSnapshot {
  agentId: AgentId
  versionId: AgentVersionId
  organizationId: OrganizationId
  projectId: ProjectId | null
  name: string
  /** The agent's purpose; null if it has no description. */
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

/** A model of a configuration, with the properties that the runtime needs. */
export interface CatalogModel extends AvailableModel {
  /** False for models that cannot be forced to call a tool. */
  toolChoice: boolean
  /** The purpose of the model; absent: derived from its id. */
  kind?: ModelKind
  /** US dollars per million tokens; null if no price is known. */
  inputUsdPerMillion: number | null
  cachedInputUsdPerMillion: number | null
  /** null: a quarter more than the price of input, which is what Anthropic charges for writes to its cache. */
  cacheWriteUsdPerMillion: number | null
  outputUsdPerMillion: number | null
}

/** A connected LLM configuration, ready to be called. Holds decrypted credentials: never log or serialise it. */
export interface UsableLlmConfiguration {
  id: LlmConfigId
  name: string
  projectId: ProjectId | null
  /** The default for agents without `llm_config_id`, in its project or its organization. */
  isDefault: boolean
  /** Milliseconds since the epoch; the oldest connected configuration is the last-resort default. */
  createdAt: number
  models: readonly CatalogModel[]
  /** Whether models outside `models` may be requested. */
  allowUnlistedModels: boolean
  connection: ProviderConnection
}

/** A budget for models of an organization or one of its projects, without its limit. */
export interface ModelBudget {
  /** null: the organization with its projects. */
  projectId: ProjectId | null
  metric: 'llm_tokens' | 'llm_cost_usd'
}

/** Port: the properties of agents and models that runs need. The adapter caches reads. */
export interface AgentCatalog {
  /** The agent with its current version, in any project of the organization; null if the organization has none. */
  agent(organizationId: OrganizationId, agentId: AgentId): Promise<AgentSnapshot | null>
  /** One version of the agent, with the agent's current status and project; null when there is none. */
  agentVersion(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentSnapshot | null>
  /** The team with its current version, in any project of the organization; null if the organization has none. */
  team(organizationId: OrganizationId, teamId: TeamId): Promise<TeamSnapshot | null>
  /** One version of the team; null when there is none. */
  teamVersion(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamSnapshot | null>
  /** Every connected configuration of the organization, oldest first. */
  llmConfigurations(organizationId: OrganizationId): Promise<readonly UsableLlmConfiguration[]>
  /** Every budget for models of the organization and its projects. */
  modelBudgets(organizationId: OrganizationId): Promise<readonly ModelBudget[]>
}
