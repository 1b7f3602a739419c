import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  ApiKeyId,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  ProviderId,
  TeamConfig,
  TeamId,
  TeamRole,
  TeamVersionId,
} from '@troupe/contract'
import type { CatalogModel, JobStore, RunStore, Scope, Signals } from '@troupe/runtime/ports'

/** An API key with what every request needs to know of its organization; one joined read. */
export interface ApiKeyRecord {
  id: ApiKeyId
  organizationId: OrganizationId
  /** null: organization-scoped. */
  projectId: ProjectId | null
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** Requests per window of this key; null: no limit of its own. */
  rpm: number | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** Requests per window of the organization. */
  organizationRpm: number
}

export interface OrganizationRecord {
  id: OrganizationId
  slug: string
  name: string
  rpm: number
  concurrentRuns: number
}

export interface ProjectRecord {
  id: ProjectId
  organizationId: OrganizationId
  slug: string
  name: string
}

/** An LLM configuration; credentials stay sealed (see `secrets.ts` of the server). */
export interface LlmConfigurationRecord {
  id: LlmConfigId
  organizationId: OrganizationId
  projectId: ProjectId | null
  slug: string
  name: string
  providerId: ProviderId
  status: 'connected' | 'disconnected'
  isDefault: boolean
  baseUrl: string | null
  /** AES-256-GCM envelope as text (`<key id>.<iv>.<tag>.<ciphertext>`), or null without credentials. */
  sealedCredentials: string | null
  settings: Record<string, unknown>
  models: CatalogModel[]
  /** Increases with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

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

export interface TeamRecord {
  id: TeamId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Set for teams that bundles address; null for teams made in the builder. */
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
  /** Counts from 1 within the team. */
  n: number
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

/** Who did something, from where. */
export interface Actor {
  kind: 'api_key' | 'operator' | 'system'
  /** Id of the key; null for the operator and the system. */
  id: string | null
  ip: string | null
  requestId: string | null
}

/** Who, what, before and after (already redacted), for the audit log. */
export interface AuditEntry {
  organizationId: OrganizationId
  projectId: ProjectId | null
  actor: Actor
  /** `<noun>.<verb>`: `agent.created`. */
  action: string
  entityKind: string
  entityId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Reads of committed data (or, inside a transaction, of its own view). Everything tenant-owned takes an organization or a scope. */
export interface Readers {
  apiKeys: {
    /** The key with this hash, whatever its state; null when there is none. The one read by secret instead of by scope. */
    byHash(secretHash: string): Promise<ApiKeyRecord | null>
    list(organizationId: OrganizationId): Promise<ApiKeyRecord[]>
  }
  organizations: {
    bySlug(slug: string): Promise<OrganizationRecord | null>
    byId(id: OrganizationId): Promise<OrganizationRecord | null>
    /** For the operator only (bundles, seeding). */
    all(): Promise<OrganizationRecord[]>
  }
  projects: {
    byId(organizationId: OrganizationId, id: ProjectId): Promise<ProjectRecord | null>
    list(organizationId: OrganizationId): Promise<ProjectRecord[]>
  }
  llmConfigurations: {
    /**
     * Connected ones visible to the scope, oldest first: an organization-scoped caller sees all of them, a
     * project-scoped one the organization level and its own project.
     */
    visible(scope: Scope): Promise<LlmConfigurationRecord[]>
    /** All of an organization, whatever their status. */
    list(organizationId: OrganizationId): Promise<LlmConfigurationRecord[]>
  }
  agents: {
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
  teams: {
    /** In any project of the organization (the caller decides between 403 and 404). */
    byId(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
    /** Newest first; `total` is exact. `projectId` narrows an organization-scoped caller; a project scope always wins. */
    page(
      scope: Scope,
      filter: { projectId: ProjectId | null; page: number; limit: number },
    ): Promise<{ rows: TeamRecord[]; total: number }>
    /** Every team with a slug of an organization. */
    list(organizationId: OrganizationId): Promise<TeamRecord[]>
    /** Versions of a team, newest first; `total` is exact. */
    versions(
      organizationId: OrganizationId,
      teamId: TeamId,
      filter: { page: number; limit: number },
    ): Promise<{ rows: TeamVersionRecord[]; total: number }>
    versionById(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamVersionRecord | null>
    /** The teams whose current version names the agent, by name. */
    teamsOf(organizationId: OrganizationId, agentId: AgentId): Promise<TeamOfAgent[]>
  }
}

type New<T, Derived extends keyof T> = Omit<T, Derived>

/** Changes; a writer exists only inside a transaction. */
export interface Writers {
  organizations: {
    /** The organization, locked until the transaction ends, so that two changes of what it owns take turns. */
    lock(id: OrganizationId): Promise<OrganizationRecord | null>
    /** Throws SqlError 23505 when the id or the slug is taken. */
    insert(record: OrganizationRecord): Promise<void>
    put(record: OrganizationRecord): Promise<void>
  }
  projects: { put(record: ProjectRecord): Promise<void> }
  apiKeys: {
    insert(record: New<ApiKeyRecord, 'organizationRpm'>): Promise<void>
    update(record: New<ApiKeyRecord, 'organizationRpm'>): Promise<void>
  }
  llmConfigurations: {
    insert(record: New<LlmConfigurationRecord, 'version' | 'createdAt' | 'updatedAt'>): Promise<void>
    /** Increases `version`. */
    update(record: New<LlmConfigurationRecord, 'version' | 'createdAt' | 'updatedAt'>): Promise<void>
  }
  agents: {
    /** The agent, locked until the transaction ends, so that two updates merge one after the other. */
    lock(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
    /** Inserts the agent and its version 1. */
    insert(
      record: New<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
      createdBy: Actor,
    ): Promise<AgentRecord>
    /** Writes the changed fields and the next version snapshot. */
    update(
      record: New<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
      createdBy: Actor,
    ): Promise<AgentRecord>
  }
  /**
   * Teams with the agents that they name. Whoever writes a team or archives an agent holds the lock of the organization
   * since before it looked (`organizations.lock`), so that neither overlooks the other.
   */
  teams: {
    /** The team, locked until the transaction ends, so that two updates merge one after the other. */
    lock(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
    /** Inserts the team and its version 1. Throws SqlError 23503 when an agent is not of the organization. */
    insert(
      record: New<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
      createdBy: Actor,
    ): Promise<TeamRecord>
    /** Writes the changed fields and the next version snapshot. Throws like `insert`. */
    update(
      record: New<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
      createdBy: Actor,
    ): Promise<TeamRecord>
    /** Deletes the team with its versions; its runs and sessions stay. */
    delete(organizationId: OrganizationId, id: TeamId): Promise<void>
  }
  audit: { append(entry: AuditEntry): Promise<void> }
}

export interface Transaction {
  read: Readers
  write: Writers
}

/** The one door to the database, the same over PGlite and PostgreSQL. Disposing closes it. */
export interface Database extends AsyncDisposable {
  kind: 'pglite' | 'postgres'
  read: Readers
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  runs: RunStore
  jobs: JobStore
  signals: Signals
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** True when this process is the only one that can use the database (embedded, or it holds the exclusive lock). */
  exclusive: boolean
}

export type DatabaseOptions =
  | { kind: 'pglite' /** Folder, or null for memory. */; directory: string | null }
  | {
      kind: 'postgres'
      url: string
      /** Connections of the pool beside the one that listens. */
      poolSize: number
      /** Whether other replicas may use the database too; false takes the exclusive lock. */
      replicas: boolean
    }
