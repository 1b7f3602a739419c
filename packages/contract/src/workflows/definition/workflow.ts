import { type Static, Type } from 'typebox'
import { ChangedBy } from '../../errors/error-body.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { ProjectId, WorkflowDeploymentId, WorkflowId, WorkflowVersionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { pageQuery } from '../../schema/page.ts'
import { ShownName, StoredName } from '../../schema/shown-name.ts'

/** The node types that start a workflow. */
export const TRIGGER_TYPES = ['manual-trigger', 'http-request', 'form-trigger', 'recurrence'] as const
export type TriggerType = (typeof TRIGGER_TYPES)[number]

export const WorkflowName = ShownName
/** The purpose of a workflow. */
export const WorkflowDescription = Nullable(Type.String({ maxLength: 10_000 }))
/** `{nodes, edges}`. The graph rules check the contents and report every failure with its path. */
const Graph = OpenObject({ maxProperties: 1_000, description: '`{nodes, edges}`.' })

const content = {
  workflowId: Uuid<WorkflowId>(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level workflow.' })),
  name: StoredName,
  description: WorkflowDescription,
  draftRevision: Type.Integer({ minimum: 1, description: 'Incremented with every change of the draft.' }),
  deployment: Nullable(
    Type.Object(
      {
        deploymentId: Uuid<WorkflowDeploymentId>(),
        versionId: Uuid<WorkflowVersionId>(),
        publishedAt: IsoTimestamp(),
      },
      { description: 'The version that callers run; null: not published.' },
    ),
  ),
  versionNumber: Type.Integer({
    minimum: 0,
    description: 'Of the newest version; 0 before the first publish.',
  }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
}

/** A workflow in a list: without its draft, which may be megabytes long. */
export const WorkflowSummary = Type.Object(content)
export type WorkflowSummary = Static<typeof WorkflowSummary>

/** A workflow as the builder sees it. */
export const Workflow = Type.Object({ ...content, draft: Graph })
export type Workflow = Static<typeof Workflow>

/** A short name for a version. */
export const VersionLabel = Nullable(Type.String({ maxLength: 128 }))
/** The changes of a version, in Markdown. */
export const VersionNote = Nullable(Type.String({ maxLength: 10_000 }))

/** A published graph, which never changes. */
export const WorkflowVersion = Type.Object({
  versionId: Uuid<WorkflowVersionId>(),
  workflowId: Uuid<WorkflowId>(),
  number: Type.Integer({ minimum: 1, description: '1 is the oldest.' }),
  active: Type.Boolean({ description: 'Whether callers run it.' }),
  label: VersionLabel,
  note: VersionNote,
  createdBy: ChangedBy,
  createdAt: IsoTimestamp(),
})
export type WorkflowVersion = Static<typeof WorkflowVersion>

/** A finding in a graph. Together `path` and `message` read as a sentence. */
export const WorkflowFinding = Type.Object({
  severity: Choice(['block', 'error', 'warning'], {
    description: 'block: prevents publishing. error: runs fail. warning: possibly unintended.',
  }),
  code: Type.String({ description: 'Stable code.' }),
  path: Type.String({ description: 'Below the graph: `nodes.3.config.rows.0.value`.' }),
  message: Type.String(),
  nodeId: Nullable(Type.String()),
  edgeId: Nullable(Type.String()),
})
export type WorkflowFinding = Static<typeof WorkflowFinding>

/** A published workflow with its non-blocking findings. */
export const PublishedWorkflow = Type.Object({ workflow: Workflow, findings: Type.Array(WorkflowFinding) })
export type PublishedWorkflow = Static<typeof PublishedWorkflow>

/** The body that creates a workflow; without a draft it is empty. */
export const CreateWorkflowBody = Type.Object({
  name: WorkflowName,
  description: Type.Optional(WorkflowDescription),
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
  draft: Type.Optional(Graph),
})
export type CreateWorkflowBody = Static<typeof CreateWorkflowBody>

/** At least one of name, description and draft; a draft requires the revision that it is based on. */
export const UpdateWorkflowBody = Type.Object({
  // The operation refuses a blank name unless it is the stored one.
  name: Type.Optional(StoredName),
  description: Type.Optional(WorkflowDescription),
  draft: Type.Optional(Graph),
  draftRevision: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
})
export type UpdateWorkflowBody = Static<typeof UpdateWorkflowBody>

/** The draft to publish, as a compare-and-set: publishing is refused if the draft has changed since. */
export const PublishWorkflowBody = Type.Object({
  draftRevision: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  /** For a form that requires a password: at most 72 bytes, in clear text. */
  formPassword: Type.Optional(Type.String({ maxLength: 1_000 })),
  label: Type.Optional(VersionLabel),
  note: Type.Optional(VersionNote),
  /** Publish although blocking test cases have not passed for this draft; needs the permission `manage`. */
  ignoreTests: Type.Optional(Type.Boolean()),
})
export type PublishWorkflowBody = Static<typeof PublishWorkflowBody>

/** The page of a list of workflows. */
export const ListWorkflowsQuery = Type.Object({ ...pageQuery, projectId: Type.Optional(Uuid<ProjectId>()) })
export type ListWorkflowsQuery = Static<typeof ListWorkflowsQuery>
