import type { JobStore, RunStore, Scope } from '@troupe/agents/ports'
import type {
  AgentId,
  AgentStatus,
  AgentVersionId,
  OrganizationId,
  ProjectId,
  TeamId,
  TeamVersionId,
  UserId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { Signals } from '@troupe/turns'
import type { ReviewDecisions, ReviewStore, WorkflowRunStore } from '@troupe/workflows/ports'
import type { FormReader, FormUploads, FormWriter } from './forms/form-types.ts'
import type {
  Actor,
  AgentRecord,
  ApiKeyRecord,
  AuditEntry,
  BudgetRecord,
  InvitationRecord,
  LlmConfigurationRecord,
  MemberRecord,
  OrganizationRecord,
  ProjectRecord,
  TeamOfAgent,
  TeamRecord,
  TeamVersionRecord,
  UserRecord,
  WorkflowDeploymentRecord,
  WorkflowOfResource,
  WorkflowRecord,
  WorkflowResource,
  WorkflowSummaryRecord,
  WorkflowVersionRecord,
  WrittenOrganization,
} from './records.ts'
import type {
  NewSchedule,
  ScheduleFireRecord,
  ScheduleKey,
  ScheduleRecord,
  ScheduleStore,
} from './schedules/schedule-port.ts'
import type { SealedSecretReader, SealedSecretWriter } from './secrets/sealed-secrets.ts'
import type { SignInRows } from './sign-in/sign-in-rows.ts'
import type { WebhookLog, WebhookReader, WebhookWriter } from './webhooks/webhook-types.ts'

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
  /** Deleted workflows are not found; their versions are, because runs in flight finish on them. */
  workflows: {
    /** In any project of the organization (the caller decides between 403 and 404). */
    byId(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord | null>
    /** Newest first; `total` is exact. `projectId` narrows an organization-scoped caller; a project scope always wins. */
    page(
      scope: Scope,
      filter: { projectId: ProjectId | null; page: number; limit: number },
    ): Promise<{ rows: WorkflowSummaryRecord[]; total: number }>
    /** Every workflow with a slug of an organization. */
    list(organizationId: OrganizationId): Promise<WorkflowRecord[]>
    /** Versions of a workflow, newest first; `total` is exact. */
    versions(
      organizationId: OrganizationId,
      workflowId: WorkflowId,
      filter: { page: number; limit: number },
    ): Promise<{ rows: WorkflowVersionRecord[]; total: number }>
    versionById(
      organizationId: OrganizationId,
      versionId: WorkflowVersionId,
    ): Promise<(WorkflowVersionRecord & { graph: unknown }) | null>
    /** The graph of a version, JSON; never null for one that exists. Worth caching: it never changes. */
    versionGraph(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<unknown>
    /** Deployments of a workflow, newest first; `total` is exact. */
    deployments(
      organizationId: OrganizationId,
      workflowId: WorkflowId,
      filter: { page: number; limit: number },
    ): Promise<{ rows: WorkflowDeploymentRecord[]; total: number }>
    /** The workflows whose active deployment names the resource, by name. */
    publishedWith(organizationId: OrganizationId, resource: WorkflowResource): Promise<WorkflowOfResource[]>
  }
  schedules: {
    /** The schedules of a published workflow, by node. */
    ofWorkflow(organizationId: OrganizationId, workflowId: WorkflowId): Promise<ScheduleRecord[]>
    /** The ledger of a workflow, latest planned time first. Rows outlive their schedules, by 30 days. */
    fires(
      organizationId: OrganizationId,
      workflowId: WorkflowId,
      limit: number,
    ): Promise<ScheduleFireRecord[]>
  }
  webhooks: WebhookReader
  sealedSecrets: SealedSecretReader
  forms: FormReader
  budgets: {
    /** Those of the organization itself first, by metric. */
    list(organizationId: OrganizationId): Promise<BudgetRecord[]>
    /** What is used of a budget in this month, in millionths of its unit; null when there is no such budget. */
    used(organizationId: OrganizationId, id: string): Promise<number | null>
  }
  /** People belong to the deployment: these reads name nobody's organization, and never answer a tenant's request. */
  users: {
    /** In any case. */
    byEmail(email: string): Promise<UserRecord | null>
    /** The salted hash of the password; null for a person who has none. */
    passwordOf(id: UserId): Promise<string | null>
    /** Every organization of the person, whatever the status of the membership. */
    organizationsOf(id: UserId): Promise<OrganizationId[]>
  }
  members: {
    /** Active memberships of a person. */
    activeOf(userId: UserId): Promise<Pick<MemberRecord, 'organizationId' | 'role'>[]>
    /** By name. */
    list(organizationId: OrganizationId): Promise<MemberRecord[]>
    byId(organizationId: OrganizationId, userId: UserId): Promise<MemberRecord | null>
  }
  invitations: {
    /** The one with this token, expired ones too. The one read by secret instead of by organization. */
    byTokenHash(tokenHash: string): Promise<InvitationRecord | null>
    /** Newest first, expired ones too. */
    list(organizationId: OrganizationId): Promise<InvitationRecord[]>
  }
}

type New<T, Derived extends keyof T> = Omit<T, Derived>

/** A workflow about to be written. */
export type NewWorkflow = Pick<
  WorkflowRecord,
  'id' | 'organizationId' | 'projectId' | 'slug' | 'name' | 'description' | 'draft'
>

/** Changes; a writer exists only inside a transaction. */
export interface Writers {
  organizations: {
    /** The organization, locked until the transaction ends, so that two changes of what it owns take turns. */
    lock(id: OrganizationId): Promise<OrganizationRecord | null>
    /** Throws SqlError 23505 when the id or the slug is taken. */
    insert(record: WrittenOrganization): Promise<void>
    put(record: WrittenOrganization): Promise<void>
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
  /**
   * Workflows. Whoever publishes one or archives an agent holds the lock of the organization since before it looked
   * (`organizations.lock`), so that neither overlooks the other.
   */
  workflows: {
    /** The workflow, locked until the transaction ends; null for a deleted one. */
    lock(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord | null>
    /** Inserts the workflow with revision 1 of its draft, not published. */
    insert(record: NewWorkflow): Promise<WorkflowRecord>
    /** Writes project, slug, name and description. */
    update(record: New<NewWorkflow, 'draft'>): Promise<WorkflowRecord>
    /** Writes the draft unless its revision is another one by now: then null. */
    updateDraft(change: {
      organizationId: OrganizationId
      id: WorkflowId
      /** The revision that the change was made from. */
      revision: number
      draft: unknown
    }): Promise<WorkflowRecord | null>
    /** Writes the next version and deploys it in place of the active deployment. */
    publish(version: {
      organizationId: OrganizationId
      id: WorkflowId
      graph: unknown
      /** What the graph names, without repetition. */
      resources: readonly WorkflowResource[]
      createdBy: Actor
    }): Promise<WorkflowRecord>
    /** Ends the active deployment, if there is one. Runs in flight finish on their version. */
    unpublish(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord>
    /** Ends the active deployment and hides the workflow; its slug is free again. */
    softDelete(organizationId: OrganizationId, id: WorkflowId): Promise<void>
    /** Makes a version's graph the draft; null when the workflow has no such version. */
    restore(
      organizationId: OrganizationId,
      id: WorkflowId,
      versionId: WorkflowVersionId,
    ): Promise<WorkflowRecord | null>
  }
  /** Schedules of published workflows, in the transaction that publishes or unpublishes them. */
  schedules: {
    /**
     * Makes these the schedules of a workflow. Of a new version they begin anew at `publishedAt` (milliseconds since the
     * epoch): a fire from before it that no scheduler has come to is `missed`. Else those that are there stay as they are.
     */
    replace(
      workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>,
      schedules: readonly NewSchedule[],
      publish: { publishedAt: number; isNewVersion: boolean },
    ): Promise<void>
    /** Removes all of them. A fire that no scheduler has come to by `now` is `missed`; the ledger stays. */
    remove(workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>, now: number): Promise<void>
  }
  budgets: {
    /**
     * Inserts the budget or changes its limit, metric and level. What this month has used already counts. Throws SqlError
     * 23505 when another budget has the metric on this level. Starts of workflows wait for the transaction's end.
     */
    put(record: New<BudgetRecord, 'createdAt'>): Promise<void>
    delete(organizationId: OrganizationId, id: string): Promise<void>
  }
  users: {
    /** Throws SqlError 23505 when the e-mail address is taken. */
    insert(user: UserRecord & { passwordHash: string }): Promise<void>
    update(user: Pick<UserRecord, 'id' | 'name' | 'emailVerified'>): Promise<void>
    /** Sets the password and signs the person out everywhere. */
    setPassword(id: UserId, passwordHash: string): Promise<void>
  }
  /** Whoever writes members holds the lock of the organization since before it looked (`organizations.lock`). */
  members: {
    /** Inserts the membership, or changes its role and status. */
    put(member: Pick<MemberRecord, 'organizationId' | 'userId' | 'role' | 'status'>): Promise<void>
    delete(organizationId: OrganizationId, userId: UserId): Promise<void>
  }
  invitations: {
    /** Inserts the invitation in place of an earlier one of the same address, whose link is then dead. */
    put(invitation: Omit<InvitationRecord, 'createdAt'> & { tokenHash: string }): Promise<void>
    /** Takes the invitation away; false when somebody else has done so before. */
    take(organizationId: OrganizationId, id: string): Promise<boolean>
  }
  webhooks: WebhookWriter
  sealedSecrets: SealedSecretWriter
  forms: FormWriter
  audit: { append(entry: AuditEntry): Promise<void> }
}

export interface Transaction {
  read: Readers
  write: Writers
  /**
   * Starts a run together with what else the transaction writes. It waits for every other start of the organization, and
   * they wait for the end of this transaction: call it last.
   */
  accept: WorkflowRunStore['accept']
  reviews: ReviewDecisions
}

/** The one door to the database, the same over PGlite and PostgreSQL. Disposing closes it. */
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
  reviews: ReviewStore
  /** For the library that signs people in. */
  signIn: SignInRows
  signals: Signals
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
      /** Told once the code of the database has crashed: every later call fails or never returns. */
      onBroken?: (error: Error) => void
      /** Told in a sentence for people when opening takes longer than usual, and why. */
      notice?: (text: string) => void
    }
  | {
      kind: 'postgres'
      url: string
      /** Connections of the pool beside the one that listens. */
      poolSize: number
      /** Whether other replicas may use the database too; false takes the exclusive lock. */
      replicas: boolean
    }
