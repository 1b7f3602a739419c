import type { ApprovalDecisions, ApprovalStore, JobStore, RunStore, UserMemories } from '@troupe/agents/ports'
import type { Signals } from '@troupe/durable-work'
import type { VoiceStores } from '@troupe/voice'
import type { ReviewDecisions, ReviewStore, WorkflowRunStore } from '@troupe/workflows/ports'
import type { AgentReader, AgentWriter } from './agents/port.ts'
import type { ApiKeyReader, ApiKeyWriter } from './api-keys/port.ts'
import type { ApprovalNotices } from './approvals/port.ts'
import type { AuditWriter } from './audit/port.ts'
import type { BudgetReader, BudgetWriter } from './budgets/port.ts'
import type { ApiKeyUse } from './builder-lists/api-keys.ts'
import type { AuditJoins } from './builder-lists/audit-joins.ts'
import type { BuilderRows } from './builder-lists/builder-rows.ts'
import type { FirstSignInRows } from './builder-lists/first-sign-in.ts'
import type { DraftVersions, Overviews, VersionChanges, Versions } from './builder-lists/port.ts'
import type { CredentialReader, CredentialWriter } from './credentials/port.ts'
import type { FormReader, FormUploads, FormWriter } from './forms/port.ts'
import type { KnowledgeReader, KnowledgeStore, KnowledgeWriter } from './knowledge/port.ts'
import type { ListenerReader, ListenerUpkeep, ListenerWriter } from './listeners/port.ts'
import type { LlmConfigurationReader, LlmConfigurationWriter } from './llm-configurations/port.ts'
import type { McpServerReader, McpServerWriter } from './mcp-servers/port.ts'
import type { InvitationReader, InvitationWriter, MemberReader, MemberWriter } from './members/port.ts'
import type { UserMemoryReader, UserMemoryWriter } from './memories/port.ts'
import type { OrganizationReader, OrganizationWriter } from './organizations/port.ts'
import type { PhoneReader, PhoneWriter } from './phone/port.ts'
import type { PinReader, PinWriter } from './pins/port.ts'
import type { ProjectReader, ProjectWriter } from './projects/port.ts'
import type { Observation } from './run-explorer/port/observation.ts'
import type { RunnableReader } from './runnables/port.ts'
import type { ScheduleReader, ScheduleStore, ScheduleWriter } from './schedules/port.ts'
import type { SealedSecretReader, SealedSecretWriter } from './secrets/port.ts'
import type { SessionReader, SessionWriter } from './sessions/port.ts'
import type { SkillReader, SkillWriter } from './skills/port.ts'
import type { Upkeep } from './sql/pglite/vacuum.ts'
import type { TeamReader, TeamWriter } from './teams/port.ts'
import type { TestCaseReader, TestCaseWriter } from './test-cases/port.ts'
import type {
  UnsavedChangesReader,
  UnsavedChangesUpkeep,
  UnsavedChangesWriter,
} from './unsaved-changes/port.ts'
import type { UsageStore } from './usage-ledger/port.ts'
import type { SignInRows, UserReader, UserWriter } from './users/port.ts'
import type { VoiceConfigurationReader, VoiceConfigurationWriter } from './voice-configurations/port.ts'
import type { WebhookLog, WebhookReader, WebhookWriter } from './webhooks/port.ts'
import type { DraftChanges } from './workflows/draft-changes.ts'
import type { WorkflowReader, WorkflowWriter } from './workflows/port.ts'
import type { WorkflowPresence } from './workflows/presence.ts'

/**
 * Reads committed data; inside a transaction, the transaction's view. Tenant-owned data requires an organization or a
 * scope.
 */
export interface Readers {
  apiKeys: ApiKeyReader
  organizations: OrganizationReader
  projects: ProjectReader
  llmConfigurations: LlmConfigurationReader
  credentials: CredentialReader
  mcpServers: McpServerReader
  agents: AgentReader
  teams: TeamReader
  workflows: WorkflowReader
  testCases: TestCaseReader
  pins: PinReader
  unsavedChanges: UnsavedChangesReader
  listeners: ListenerReader
  schedules: ScheduleReader
  webhooks: WebhookReader
  sealedSecrets: SealedSecretReader
  forms: FormReader
  runnables: RunnableReader
  knowledge: KnowledgeReader
  skills: SkillReader
  budgets: BudgetReader
  sessions: SessionReader
  memories: UserMemoryReader
  users: UserReader
  members: MemberReader
  invitations: InvitationReader
  voiceConfigurations: VoiceConfigurationReader
  /** Trunks, their numbers, and the do-not-call list. */
  phone: PhoneReader
  /** Lists of the builder's pages. */
  builder: BuilderRows
}

/** Changes; a writer exists only inside a transaction. */
export interface Writers {
  organizations: OrganizationWriter
  projects: ProjectWriter
  apiKeys: ApiKeyWriter
  llmConfigurations: LlmConfigurationWriter
  credentials: CredentialWriter
  mcpServers: McpServerWriter
  agents: AgentWriter
  teams: TeamWriter
  workflows: WorkflowWriter
  testCases: TestCaseWriter
  pins: PinWriter
  unsavedChanges: UnsavedChangesWriter
  listeners: ListenerWriter
  schedules: ScheduleWriter
  knowledge: KnowledgeWriter
  skills: SkillWriter
  budgets: BudgetWriter
  sessions: SessionWriter
  memories: UserMemoryWriter
  users: UserWriter
  members: MemberWriter
  invitations: InvitationWriter
  webhooks: WebhookWriter
  sealedSecrets: SealedSecretWriter
  forms: FormWriter
  voiceConfigurations: VoiceConfigurationWriter
  phone: PhoneWriter
  audit: AuditWriter
}

export interface Transaction {
  read: Readers
  write: Writers
  /**
   * Starts a run together with the transaction's other writes. It waits for every other start of the
   * organization, and they wait for this transaction's commit: call it last.
   */
  accept: WorkflowRunStore['accept']
  reviews: ReviewDecisions
  auditJoins: AuditJoins
  versions: Versions & VersionChanges
  approvals: ApprovalDecisions
  runs: Pick<RunStore, 'cancel'>
  workflowRuns: Pick<WorkflowRunStore, 'cancel' | 'pause' | 'resume' | 'resumeWithinBudget'>
}

/** The stores that have periodic duties. */
export type DutyStores = Pick<
  Database,
  | 'runs'
  | 'jobs'
  | 'workflowRuns'
  | 'formUploads'
  | 'knowledge'
  | 'reviews'
  | 'approvals'
  | 'webhookLog'
  | 'schedules'
  | 'signIn'
  | 'usage'
  | 'memories'
  | 'drafts'
  | 'draftChanges'
  | 'presence'
  | 'listeners'
  | 'unsavedChanges'
>

/** When API keys were last used. */
export interface ApiKeyUses {
  /** Stores the times; of one key, the latest is kept. */
  flush(uses: readonly ApiKeyUse[]): Promise<void>
}

/** The only access to the database, the same over PGlite and PostgreSQL. Disposing closes it. */
export interface Database extends AsyncDisposable {
  kind: 'pglite' | 'postgres'
  read: Readers
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  runs: RunStore
  jobs: JobStore
  workflowRuns: WorkflowRunStore
  schedules: ScheduleStore
  webhookLog: WebhookLog
  formUploads: FormUploads
  knowledge: KnowledgeStore
  reviews: ReviewStore
  memories: UserMemories
  approvals: ApprovalStore & ApprovalNotices
  usage: UsageStore
  /** Views of runs for people. */
  observed: Observation
  /** Lists of the builder's pages. */
  overviews: Overviews
  versions: Versions
  drafts: DraftVersions
  draftChanges: DraftChanges
  presence: WorkflowPresence
  listeners: ListenerUpkeep
  unsavedChanges: UnsavedChangesUpkeep
  apiKeyUses: ApiKeyUses
  /** Sessions, workers and transcripts of voice. */
  voice: VoiceStores
  firstSignIn: FirstSignInRows
  /** For the sign-in library. */
  signIn: SignInRows
  signals: Signals
  /** The same stores for periodic duties and the boot, whose statements may take minutes. */
  duties: DutyStores
  /** null: the database maintains itself. */
  upkeep: Upkeep | null
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** True when this process is the only one that can use the database (embedded, or it holds the exclusive lock). */
  exclusive: boolean
}

export type DatabaseOptions =
  | {
      kind: 'pglite'
      /** Folder, or null for memory. */
      directory: string | null
      /** Called once the database's code has crashed: every later call fails or never returns. */
      onBroken?: (error: Error) => void
      /** Called with an error message for the operator that gives the reason when opening takes longer than usual. */
      notice?: (text: string) => void
    }
  | {
      kind: 'postgres'
      url: string
      /** Connections of the pool, without the listening one. */
      poolSize: number
      /** Milliseconds that a statement of a request may take, waits for locks included; 10,000 by default. */
      statementMs?: number
      /** Whether other replicas may use the database too; false takes the exclusive lock. */
      replicas: boolean
    }
