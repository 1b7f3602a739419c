import type { CatalogModel } from '@troupe/agents/ports'
import type {
  AgentConfig,
  AgentId,
  AgentStatus,
  AgentVersionId,
  ApiKeyId,
  LlmConfigId,
  MemberRole,
  MemberStatus,
  OrganizationId,
  ProjectId,
  ProviderId,
  TeamConfig,
  TeamId,
  TeamRole,
  TeamVersionId,
  UserId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'

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
  /** Days that the inputs and outputs of nodes are kept once their run has ended. */
  traceDays: number
  /** Days that a run of a workflow is kept once it has ended. */
  runDays: number
}

/** What an organization is written with; how long runs are kept stays as it is unless it is given. */
export type WrittenOrganization = Omit<OrganizationRecord, 'traceDays' | 'runDays'> &
  Partial<Pick<OrganizationRecord, 'traceDays' | 'runDays'>>

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
  /** Whether agents may name models that are not in `models`. */
  allowUnlistedModels: boolean
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

export interface WorkflowRecord {
  id: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Set for workflows that bundles address; null for workflows made in the builder. */
  slug: string | null
  name: string
  description: string | null
  /** The graph that the builder edits, JSON. */
  draft: unknown
  /** One more with every change of the draft, from 1 on. */
  draftRevision: number
  /** What callers run; null: not published. */
  activeDeployment: { id: WorkflowDeploymentId; versionId: WorkflowVersionId; publishedAt: Date } | null
  /** Of the newest version; 0 before the first publish. */
  versionNumber: number
  createdAt: Date
  updatedAt: Date
}

/** A workflow without its draft, which may have megabytes. */
export type WorkflowSummaryRecord = Omit<WorkflowRecord, 'draft'>

/** A published graph. It never changes; only its project is the workflow's current one. */
export interface WorkflowVersionRecord {
  id: WorkflowVersionId
  organizationId: OrganizationId
  projectId: ProjectId | null
  workflowId: WorkflowId
  /** Counts from 1 within the workflow. */
  n: number
  createdBy: Pick<Actor, 'kind' | 'id'>
  createdAt: Date
}

/** A time in which a version was what callers run. */
export interface WorkflowDeploymentRecord {
  id: WorkflowDeploymentId
  workflowId: WorkflowId
  versionId: WorkflowVersionId
  /** Of the version. */
  n: number
  publishedAt: Date
  /** null: active. */
  endedAt: Date | null
}

/** Something that a graph names by its id. */
export interface WorkflowResource {
  kind: 'agent' | 'team' | 'llm_configuration'
  id: AgentId | TeamId | LlmConfigId
}

/** A published workflow that names an agent, a team or an LLM configuration. */
export interface WorkflowOfResource {
  workflowId: WorkflowId
  projectId: ProjectId | null
  name: string
}

/** What an organization or a project may use per calendar month (UTC). One per metric and level. */
export interface BudgetRecord {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  /** null: the whole organization, its projects included. */
  projectId: ProjectId | null
  metric: 'workflow_runs' | 'llm_tokens' | 'llm_cost_usd' | 'voice_minutes'
  /** In millionths of the metric's unit. */
  limitMicros: number
  period: 'month'
  createdAt: Date
}

/** A person: one account for every organization of the deployment. */
export interface UserRecord {
  id: UserId
  name: string
  /** In lower case. */
  email: string
  /** Whether the person has shown to read this mailbox, or the operator vouches for it. */
  emailVerified: boolean
}

export interface MemberRecord {
  organizationId: OrganizationId
  userId: UserId
  name: string
  email: string
  role: MemberRole
  status: MemberStatus
  createdAt: Date
}

/** An open invitation; it may have expired. */
export interface InvitationRecord {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  /** In lower case. */
  email: string
  role: MemberRole
  /** Whether the link went to the address only: who opens it then reads that mailbox. */
  mailed: boolean
  createdAt: Date
  expiresAt: Date
}

/** Who did something, from where. */
export interface Actor {
  kind: 'user' | 'api_key' | 'operator' | 'system'
  /** Id of the person or the key; null for the operator and the system. */
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
