import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamRole,
} from '@troupe/contract'

/** The resources that are kept in versions of this form. */
export type VersionedKind = 'agent' | 'team'

/** Who made a version. */
export interface VersionAuthor {
  kind: 'user' | 'api_key' | 'operator' | 'system'
  id: string | null
  /** null for the operator and the server, and for an account or key that is gone. */
  name: string | null
}

/** Something that uses a resource. */
export interface ResourceUse {
  kind: 'agent' | 'team' | 'workflow'
  id: string
  name: string
}

/** A model of an agent's chain, with the name of its LLM configuration; null: the default. */
export interface NamedModel {
  llmConfigId: string | null
  llmConfigName: string | null
  modelId: string | null
}

interface OverviewFacts {
  id: string
  projectId: ProjectId | null
  slug: string | null
  name: string
  description: string | null
  configSchemaVersion: number
  versionId: string
  versionNumber: number
  /** Of the current version. */
  changedBy: VersionAuthor
  createdAt: Date
  updatedAt: Date
  /** By kind and name. */
  usedBy: ResourceUse[]
  /** Of runs that callers started; null: none. */
  lastRunAt: Date | null
  /** Of the newest 10,000 runs. */
  completed24h: number
  failed24h: number
  /** Of seven days, in millionths of a US dollar; null: no call had a price. */
  costMicros7d: number | null
}

/** An agent in a list. */
export interface AgentOverview extends OverviewFacts {
  status: AgentStatus
  /** The primary model first, then its fallbacks. */
  models: NamedModel[]
}

/** A team in a list. */
export interface TeamOverview extends OverviewFacts {
  mode: TeamConfig['mode']
  /** The agents that the team names, lead first. */
  agents: { agentId: AgentId; name: string; role: TeamRole }[]
}

/** What a list of configuration shows. */
export interface OverviewFilter {
  /** Part of the name, slug or description, or the start of the id; null: any. */
  q: string | null
  sort: 'name' | '-updatedAt' | '-createdAt'
  /** `none`: only what belongs to no project; null: any. */
  projectId: string | 'none' | null
  /** Of agents only; null: any. */
  status: AgentStatus | null
  page: number
  limit: number
}

/** One page of a list. */
export interface OverviewPage<T> {
  rows: T[]
  total: number
}

/** What the builder's pages list of agents and teams. Each method is one statement. */
export interface Overviews {
  agents(
    organizationId: OrganizationId,
    filter: OverviewFilter,
    now: Date,
  ): Promise<OverviewPage<AgentOverview>>
  agent(
    organizationId: OrganizationId,
    id: string,
    now: Date,
  ): Promise<(AgentOverview & { config: AgentConfig }) | null>
  teams(
    organizationId: OrganizationId,
    filter: OverviewFilter,
    now: Date,
  ): Promise<OverviewPage<TeamOverview>>
  team(
    organizationId: OrganizationId,
    id: string,
    now: Date,
  ): Promise<(TeamOverview & { config: TeamConfig }) | null>
}

/** A version in a list, with its runs by callers among the newest ones of the resource. */
export interface CountedVersion extends VersionRow {
  completed: number
  /** Failed or timed out. */
  failed: number
}

/** A version without its content. */
export interface VersionRow {
  id: string
  /** null: a draft that was run in the playground. */
  number: number | null
  label: string | null
  note: string | null
  createdBy: VersionAuthor
  createdAt: Date
  /** Whether it is the resource's current state. */
  isCurrent: boolean
}

/** A version with its content. */
export interface VersionContent extends VersionRow {
  name: string
  description: string | null
  config: Record<string, unknown>
  configSchemaVersion: number
}

/** What identifies a version's resource. */
export interface VersionOwner {
  kind: VersionedKind
  organizationId: OrganizationId
  /** Of the agent or the team. */
  id: string
}

/** The stored versions of agents and teams. */
export interface Versions {
  /** Numbered versions, newest first. */
  page(owner: VersionOwner, page: { page: number; limit: number }): Promise<OverviewPage<CountedVersion>>
  /** Any version of this owner, also a draft of the playground; null when it has none of this id. */
  find(owner: VersionOwner, versionId: string): Promise<VersionContent | null>
}

/** Changes of versions, inside a transaction. */
export interface VersionChanges {
  /** Sets the fields that are given. */
  describe(
    owner: VersionOwner,
    versionId: string,
    change: { label?: string | null; note?: string | null },
  ): Promise<void>
}

/** Drafts that the playground runs. */
export interface DraftVersions {
  /** Stores a draft under the hash of its content, or finds it; its time is that of its last use. */
  keep(
    owner: VersionOwner,
    draft: {
      versionId: string
      contentHash: string
      name: string
      description: string | null
      config: object
      configSchemaVersion: number
      createdBy: Pick<VersionAuthor, 'kind' | 'id'>
    },
  ): Promise<string>
  /** Deletes runs, sessions and drafts of the playground that were last used before the moment. */
  sweep(before: Date): Promise<void>
}
