import type { Scope } from '@troupe/agents/ports'
import type {
  AgentId,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  TeamId,
  TriggerType,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { Actor } from '../audit/port.ts'
import type { NewestEntry } from '../builder-lists/audit-joins.ts'
import type { KeepReason } from '../tables/configuration/workflows.ts'

export interface WorkflowRecord {
  id: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Slug in bundles; null for workflows created in the builder. */
  slug: string | null
  name: string
  description: string | null
  /** The graph that the builder edits, JSON. */
  draft: unknown
  /** Incremented by every change of the draft, starting at 1. */
  draftRevision: number
  /** The deployed version; null: not published. */
  activeDeployment: { id: WorkflowDeploymentId; versionId: WorkflowVersionId; publishedAt: Date } | null
  /** Number of the newest version; 0 before the first publish. */
  versionNumber: number
  createdAt: Date
  updatedAt: Date
}

/** A workflow without its draft, which may be megabytes in size. */
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

/** A period in which a version was deployed. */
export interface WorkflowDeploymentRecord {
  id: WorkflowDeploymentId
  workflowId: WorkflowId
  versionId: WorkflowVersionId
  /** The number of the version. */
  n: number
  publishedAt: Date
  /** null: active. */
  endedAt: Date | null
}

/** A resource that a graph references by id. */
export interface WorkflowResource {
  kind: 'agent' | 'team' | 'llm_configuration'
  id: AgentId | TeamId | LlmConfigId
}

/** A published workflow that references an agent, a team or an LLM configuration. */
export interface WorkflowOfResource {
  workflowId: WorkflowId
  projectId: ProjectId | null
  name: string
}

/** Deleted workflows are not found; their versions are, because runs in flight finish on them. */
export interface WorkflowReader {
  /** In any project of the organization (the caller decides between 403 and 404). */
  byId(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord | null>
  /** The projects of the existing workflows among these ids, in no particular order. */
  projectsOf(
    organizationId: OrganizationId,
    ids: readonly WorkflowId[],
  ): Promise<Pick<WorkflowRecord, 'id' | 'projectId'>[]>
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
  /** The graph of a version, JSON; never null for an existing version. Immutable, so worth caching. */
  versionGraph(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<unknown>
  /** The same, with a flag for tested drafts; null when there is no such version. */
  testedGraph(
    organizationId: OrganizationId,
    versionId: WorkflowVersionId,
  ): Promise<{ graph: unknown; isDraft: boolean } | null>
  /** Deployments of a workflow, newest first; `total` is exact. */
  deployments(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    filter: { page: number; limit: number },
  ): Promise<{ rows: WorkflowDeploymentRecord[]; total: number }>
  /** The workflows whose active deployment names the resource, by name. */
  publishedWith(organizationId: OrganizationId, resource: WorkflowResource): Promise<WorkflowOfResource[]>
}

/**
 * A draft to write with its `graphHash`. Either as JSON written by `storableJson`, or as pieces: ranges of the stored
 * JSON, each followed by a text. Nothing is written if the length of the stored JSON is not `formerBytes`.
 */
export type WrittenDraft = { hash: string } & (
  | { json: string }
  | { formerBytes: number; pieces: readonly (readonly [fromByte: number, bytes: number, text: string])[] }
)

/** A save of a draft. */
export interface DraftSave {
  organizationId: OrganizationId
  id: WorkflowId
  /** The revision that it is based on. */
  revision: number
  draft: WrittenDraft
  /** The types of its trigger nodes, in their order. */
  triggers: readonly TriggerType[]
  /** The nodes that differ from that revision; null for an added or removed node. */
  changedNodes: readonly { before: unknown; after: unknown }[]
  /** The changes in the form in which the client sent them. */
  changes: readonly unknown[]
  /** Set by the client; null if it sends none. */
  changeId: string | null
  savedBy: Pick<Actor, 'kind' | 'id'>
  gesture: string | null
}

/** The outcome of a save. */
export interface SavedDraft {
  revision: number
  at: Date
}

/** A draft whose row is locked. */
export interface LockedDraft extends WorkflowRecord {
  /** null if the caller already knows it. */
  draft: unknown
  /** Whether the row still has the revision and the time of the save that the caller knows. */
  isKnown: boolean
  /** Whether the draft equals the published version. */
  isDraftPublished: boolean
  /** The save with the caller's id, if there was one before the lock. */
  saved: SavedDraft | null
}

/** A workflow about to be written. */
export type NewWorkflow = Pick<
  WorkflowRecord,
  'id' | 'organizationId' | 'projectId' | 'slug' | 'name' | 'description' | 'draft'
>

/**
 * Workflows. Callers that publish one must hold the organization (`organizations.hold`), and those that archive an agent must lock it
 * (`organizations.lock`), before they read, so that neither misses the other's change.
 */
export interface WorkflowWriter {
  /** The workflow, locked until the transaction ends; null for a deleted one. */
  lock(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord | null>
  /** Inserts the workflow with revision 1 of its draft, not published. */
  insert(record: NewWorkflow): Promise<WorkflowRecord>
  /** Writes project, slug, name and description. */
  update(record: Omit<NewWorkflow, 'draft'>): Promise<WorkflowRecord>
  /**
   * Keeps the current state of the stored draft, once per revision. With a `keep`, the timeline gets a separate entry:
   * several people may keep one revision at the same time, and each finds their own label.
   *
   * @returns its revision; null if there is no such workflow, or if a state exists and no `keep` was passed
   */
  keepSnapshot(snapshot: {
    organizationId: OrganizationId
    id: WorkflowId
    keep?: { reason: KeepReason; by: Pick<Actor, 'kind' | 'id'>; label: string | null }
  }): Promise<{ revision: number; at: Date } | null>
  /** Writes the draft; null when its revision has changed in the meantime. */
  updateDraft(change: {
    organizationId: OrganizationId
    id: WorkflowId
    /** The revision that the change is based on. */
    revision: number
    draft: unknown
  }): Promise<WorkflowRecord | null>
  /**
   * The workflow, locked until the transaction ends; null for a deleted one. Its draft is omitted if the row still has
   * the revision and the time of a save that the caller knows.
   */
  lockDraft(
    organizationId: OrganizationId,
    id: WorkflowId,
    known: SavedDraft | null,
    changeId: string | null,
  ): Promise<LockedDraft | null>
  /** The save with this id from the client; null if none is kept. */
  savedChange(organizationId: OrganizationId, id: WorkflowId, changeId: string): Promise<SavedDraft | null>
  /**
   * Writes the draft and records the changes. First keeps the previous state, unless one was kept within the last five
   * minutes, 100 revisions and 2 MB of saves. null if the row has another revision or another draft, or if a save with
   * this id exists.
   */
  saveDraft(
    save: DraftSave,
  ): Promise<
    (SavedDraft & Pick<LockedDraft, 'isDraftPublished'> & { newestEntry: NewestEntry | null }) | null
  >
  /** Writes the next version and deploys it in place of the active deployment. */
  publish(version: {
    organizationId: OrganizationId
    id: WorkflowId
    graph: unknown
    /** The resources that the graph references, without duplicates. */
    resources: readonly WorkflowResource[]
    createdBy: Actor
    label?: string | null
    note?: string | null
  }): Promise<WorkflowRecord>
  /**
   * Stores the graph of a test as a version without a number. Equal graphs share one version, which is kept as long as
   * its newest test.
   *
   * @returns the id of the version
   */
  keepDraft(draft: {
    organizationId: OrganizationId
    id: WorkflowId
    graph: unknown
    /** The hash of the graph without the positions of its nodes. */
    contentHash: string
    createdBy: Actor
  }): Promise<WorkflowVersionId>
  /** Writes the label and the note of a version; absent ones are unchanged. null if the workflow has no such version. */
  describeVersion(version: {
    organizationId: OrganizationId
    id: WorkflowId
    versionId: WorkflowVersionId
    label?: string | null
    note?: string | null
  }): Promise<true | null>
  /** Ends the active deployment, if there is one. Runs in flight finish on their version. */
  unpublish(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord>
  /** Ends the active deployment and hides the workflow; its slug becomes free, and its listeners are deleted. */
  softDelete(organizationId: OrganizationId, id: WorkflowId): Promise<void>
  /**
   * Restores a deleted workflow, unpublished and without its slug; null if there is no deleted workflow with this id.
   */
  undelete(organizationId: OrganizationId, id: WorkflowId): Promise<WorkflowRecord | null>
  /** Makes a version's graph the draft; null if the workflow has no such version. */
  restore(
    organizationId: OrganizationId,
    id: WorkflowId,
    versionId: WorkflowVersionId,
  ): Promise<WorkflowRecord | null>
}
