import type {
  AgentId,
  EditorTabId,
  LlmConfigId,
  TeamId,
  TriggerType,
  UserId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import { sql } from 'drizzle-orm'
import {
  check,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import type { ActorKind } from '../tenants/audit.ts'
import { members } from '../tenants/members.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** 64 bits as text: a JavaScript number could not represent it exactly. */
const graphHash = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' })

/** Workflows with the draft that the builder edits. Deleted ones are kept, because runs in flight finish on their version. */
export const workflows = pgTable(
  'workflows',
  {
    id: uuid('id').$type<WorkflowId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    /** Slug in bundles. Deleting a workflow frees its slug. */
    slug: text('slug'),
    name: freeText('name').notNull(),
    description: freeText('description'),
    draft: document('draft').notNull(),
    /** Incremented by every change of the draft; a write names the revision that it is based on. */
    draftRevision: integer('draft_revision').notNull(),
    /** `graphHash` of the draft. Compared with the published graph's, so that a list need not read either graph. */
    draftHash: graphHash('draft_hash').notNull(),
    /** The types of the draft's trigger nodes. */
    draftTriggers: text('draft_triggers').array().$type<TriggerType[]>().notNull(),
    /** null: not published. */
    activeDeploymentId: uuid('active_deployment_id').$type<WorkflowDeploymentId>(),
    /** Number of the newest version; 0 before the first publish. */
    versionNumber: integer('version_number').notNull(),
    /** SHA-256 of the webhook token, hex. Created by the first publish; null before it. Replaced only when a person rotates it. */
    webhookTokenHash: text('webhook_token_hash').unique(),
    webhookTokenSealed: text('webhook_token_sealed'),
    signingSecretSealed: text('signing_secret_sealed'),
    /** The secret before the last rotation, accepted until `previous_secret_until`. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousSecretUntil: moment('previous_secret_until'),
    /** SHA-256 of the form token, hex. Created when a Form Trigger is first published. Replaced only when a person rotates it. */
    formTokenHash: text('form_token_hash').unique(),
    formTokenSealed: text('form_token_sealed'),
    /** The form's user name, as of the last publish; null unless the form requires a password. */
    formUsername: freeText('form_username'),
    /** bcrypt. */
    formPasswordHash: text('form_password_hash'),
    /** Incremented by every change of the credentials, which ends visits that used the old ones. */
    formCredentialVersion: integer('form_credential_version').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    unique('workflows_slug').on(t.organizationId, t.slug),
    unique('workflows_organization_id_id').on(t.organizationId, t.id),
    ofSameOrganization('workflows_project_fk', t, t.projectId, projects).onDelete('cascade'),
    index('workflows_newest').on(t.organizationId, t.createdAt, t.id).where(sql`deleted_at is null`),
  ],
)

/** Immutable graphs: one per publish, numbered, and one per draft that was tested, without a number. */
export const workflowVersions = pgTable(
  'workflow_versions',
  {
    id: uuid('id').$type<WorkflowVersionId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    /** null for tested drafts. */
    n: integer('n'),
    /** Set for a tested draft: equal graphs, ignoring the positions of steps, are stored once. */
    contentHash: text('content_hash'),
    graph: document('graph').notNull(),
    graphHash: graphHash('graph_hash').notNull(),
    /** The types of the graph's trigger nodes. */
    triggers: text('triggers').array().$type<TriggerType[]>().notNull(),
    /** A short name for the version, and a note about its changes. */
    label: freeText('label'),
    note: freeText('note'),
    createdByKind: text('created_by_kind').$type<ActorKind>().notNull(),
    createdById: text('created_by_id'),
    createdAt: createdAt(),
  },
  (t) => [
    index('workflow_versions_exposed').on(t.organizationId).where(sql`graph->>'expose' = 'mcp'`),
    unique('workflow_versions_n').on(t.workflowId, t.n),
    unique('workflow_versions_content').on(t.workflowId, t.contentHash),
    check('workflow_versions_kind', sql`(n is null) = (content_hash is not null)`),
    index('workflow_versions_drafts').on(t.createdAt).where(sql`n is null`),
    ofSameOrganization('workflow_versions_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
  ],
)

/** The periods in which a version was deployed. */
export const workflowDeployments = pgTable(
  'workflow_deployments',
  {
    id: uuid('id').$type<WorkflowDeploymentId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    versionId: uuid('version_id')
      .$type<WorkflowVersionId>()
      .notNull()
      .references(() => workflowVersions.id, { onDelete: 'cascade' }),
    publishedAt: moment('published_at').notNull().defaultNow(),
    /** null: active. */
    endedAt: moment('ended_at'),
  },
  (t) => [index('workflow_deployments_workflow').on(t.workflowId, t.publishedAt, t.id)],
)

/**
 * The agents, teams and LLM configurations of each active deployment, so that archiving one can be refused
 * while it is deployed. The rows of a deployment are deleted when it ends.
 */
export const workflowResources = pgTable(
  'workflow_resources',
  {
    organizationId: organizationId(),
    deploymentId: uuid('deployment_id')
      .$type<WorkflowDeploymentId>()
      .notNull()
      .references(() => workflowDeployments.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['agent', 'team', 'llm_configuration'] }).notNull(),
    resourceId: uuid('resource_id').$type<AgentId | TeamId | LlmConfigId>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.deploymentId, t.kind, t.resourceId] }),
    index('workflow_resources_resource').on(t.organizationId, t.resourceId),
  ],
)

/** The reason for keeping a state of a draft. */
export type KeepReason = 'replaced' | 'asked'

/**
 * The changes of each save of a draft, so that other clients load only these. A save of the whole draft has no row:
 * after a gap, the draft is read. Kept for 30 days or 5,000 revisions.
 */
export const workflowDraftChanges = pgTable(
  'workflow_draft_changes',
  {
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    /** The revision that the save created. */
    revision: integer('revision').notNull(),
    /** Set by the client, so that a repeated save whose response was lost gets the same response. */
    changeId: uuid('change_id'),
    changes: document('changes').notNull(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    actorId: text('actor_id'),
    gesture: freeText('gesture'),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.revision] }),
    unique('workflow_draft_changes_change').on(t.workflowId, t.changeId),
    index('workflow_draft_changes_at').on(t.at),
    ofSameOrganization('workflow_draft_changes_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
  ],
)

/**
 * Whole states of a draft: a revision is computed from the newest one before it and the changes since. While a draft is
 * edited, the server keeps one now and then before a save replaces it. Kept for 30 days, at most 200 and 64 MB per
 * workflow.
 */
export const workflowDraftSnapshots = pgTable(
  'workflow_draft_snapshots',
  {
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    revision: integer('revision').notNull(),
    draft: document('draft').notNull(),
    /** Size of the draft as JSON. */
    bytes: integer('bytes').notNull(),
    /** When it was last kept. */
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.revision] }),
    index('workflow_draft_snapshots_at').on(t.at),
    ofSameOrganization('workflow_draft_snapshots_workflow_fk', t, t.workflowId, workflows).onDelete(
      'cascade',
    ),
  ],
)

/**
 * The reasons for which states of a draft are kept, shown as entries of its timeline. `replaced`: a save of the whole
 * draft; `asked`: requested by a person, or made before a restore. One row per reason, so that each of two people who
 * keep the same revision finds their own label. A row is deleted with its state. The newest 1,000 of each workflow are
 * kept.
 */
export const workflowDraftKeeps = pgTable(
  'workflow_draft_keeps',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    revision: integer('revision').notNull(),
    reason: text('reason').$type<KeepReason>().notNull(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    actorId: text('actor_id'),
    /** Label of the person's change: "Restore version 3". */
    label: freeText('label'),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    index('workflow_draft_keeps_state').on(t.workflowId, t.revision),
    foreignKey({
      name: 'workflow_draft_keeps_state_fk',
      columns: [t.workflowId, t.revision],
      foreignColumns: [workflowDraftSnapshots.workflowId, workflowDraftSnapshots.revision],
    }).onDelete('cascade'),
  ],
)

/**
 * The browser tabs that show a workflow, with the open step of each. Informative, not a lock. A row counts for 45
 * seconds after the tab's last report, and only while its person is an active member and signed in.
 */
export const workflowPresence = pgTable(
  'workflow_presence',
  {
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    /** Chosen by the tab. */
    tabId: uuid('tab_id').$type<EditorTabId>().notNull(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    /** The open step; null if none. */
    nodeId: freeText('node_id'),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.tabId] }),
    index('workflow_presence_user').on(t.organizationId, t.userId),
    index('workflow_presence_seen').on(t.seenAt),
    ofSameOrganization('workflow_presence_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
    foreignKey({
      name: 'workflow_presence_member_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
)
