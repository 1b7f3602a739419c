import type { RunnableKind } from '@troupe/agents/ports'
import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AnyVersionId,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  TeamConfig,
  TeamRole,
} from '@troupe/contract'
import type { AgentRecord, TeamRecord } from '../runnables/stored-port.ts'
import type { VersionOwner } from '../runnables/write-version.ts'
import type { WeekOfRuns } from './week-of-runs.ts'

/** The author of a version. */
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

/** A model of an agent's chain, with the name of its LLM configuration; null is the default. */
export interface NamedModel {
  llmConfigId: LlmConfigId | null
  llmConfigName: string | null
  modelId: string | null
}

/** The columns of a list: those of the table, without the configuration. */
type Listed<T> = Omit<T, 'organizationId' | 'config'>

interface OverviewFacts {
  versionNumber: number
  /** The author of the current version. */
  changedBy: VersionAuthor
  /** By kind and name. */
  usedBy: ResourceUse[]
  /** The time of the last run that a caller started; null if there is none. */
  lastRunAt: Date | null
  /** Counted among the newest 10,000 runs. */
  completed24h: number
  failed24h: number
  week: WeekOfRuns
  /** The cost of seven days, in millionths of a US dollar; null if no call had a price. */
  costMicros7d: number | null
}

/** An agent in a list. */
export interface AgentOverview extends Listed<AgentRecord>, OverviewFacts {
  /** The primary model first, then its fallbacks. */
  models: NamedModel[]
}

/** A team in a list. */
export interface TeamOverview extends Listed<TeamRecord>, OverviewFacts {
  mode: TeamConfig['mode']
  /** The agents that the team names, lead first. */
  agents: { agentId: AgentId; name: string; role: TeamRole }[]
}

/** Filter of a list of agents or teams. */
export interface OverviewFilter {
  /** Part of the name, slug or description, or the start of the id; null: any. */
  q: string | null
  sort: 'name' | '-updatedAt' | '-createdAt'
  /** `none`: only rows without a project; null: any. */
  projectId: ProjectId | 'none' | null
  /** Only agents have a status; null: any. */
  status: AgentStatus | null
  page: number
  limit: number
}

/** One page of a list. */
export interface OverviewPage<T> {
  rows: T[]
  total: number
}

/** The rows of the lists by kind. */
export interface RunnableOverviews {
  agent: AgentOverview
  team: TeamOverview
}

/** The rows of single items by kind. */
export interface RunnableDetails {
  agent: AgentOverview & { config: AgentConfig }
  team: TeamOverview & { config: TeamConfig }
}

/** The lists of agents and teams of the builder's pages. Each method is one statement. */
export interface Overviews {
  page<K extends RunnableKind>(
    kind: K,
    organizationId: OrganizationId,
    filter: OverviewFilter,
    now: Date,
  ): Promise<OverviewPage<RunnableOverviews[K]>>
  find<K extends RunnableKind>(
    kind: K,
    organizationId: OrganizationId,
    id: string,
    now: Date,
  ): Promise<RunnableDetails[K] | null>
}

/** A version in a list, with the number of its runs by callers among the newest runs of the resource. */
export interface CountedVersion extends VersionRow {
  completed: number
  /** Failed or timed out. */
  failed: number
}

/** A version without its content. */
export interface VersionRow {
  id: AnyVersionId
  /** null: a draft that ran in the playground. */
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

/** The stored versions of agents and teams. */
export interface Versions {
  /** Numbered versions, newest first. */
  page(owner: VersionOwner, page: { page: number; limit: number }): Promise<OverviewPage<CountedVersion>>
  /** Any version of this owner, including drafts of the playground; null if it has none with this id. */
  find(owner: VersionOwner, versionId: AnyVersionId): Promise<VersionContent | null>
}

/** Changes of versions, inside a transaction. */
export interface VersionChanges {
  /** Sets the given fields. */
  describe(
    owner: VersionOwner,
    versionId: AnyVersionId,
    change: { label?: string | null; note?: string | null },
  ): Promise<void>
}

/** Drafts that the playground runs. */
export interface DraftVersions {
  /** Stores a draft under the hash of its content, or finds it. Its time is the time of its last use. */
  keep(
    owner: VersionOwner,
    draft: {
      versionId: AnyVersionId
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
