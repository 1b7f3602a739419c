import { type Static, Type } from 'typebox'
import { ChangedBy } from '../../errors/error-body.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { WorkflowVersionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Workflow } from '../../workflows/definition/workflow.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

/** An event of a workflow and its draft. */
export const TimelineEntry = Type.Object({
  kind: Choice(['version', 'snapshot', 'changes'], {
    description:
      '`version`: a publish. `snapshot`: the draft was replaced as a whole, or a person kept it. `changes`: saves of one person without a pause of five minutes.',
  }),
  at: IsoTimestamp({ description: 'Of the last save.' }),
  since: IsoTimestamp({ description: 'Of the first save; the same as `at` for the other kinds.' }),
  by: ChangedBy,
  revision: Nullable(Type.Integer({ description: 'Of the draft after it; null for a version.' })),
  fromRevision: Nullable(Type.Integer({ description: 'Of the draft before the first save of `changes`.' })),
  versionId: Nullable(Uuid<WorkflowVersionId>()),
  number: Nullable(Type.Integer({ description: 'Of a version.' })),
  isActive: Type.Boolean({ description: 'Whether callers run this version.' }),
  reason: Nullable(Choice(['replaced', 'asked'], { description: 'Of a snapshot.' })),
  label: Nullable(Type.String({ description: 'Label of a version, or of a kept state.' })),
  note: Nullable(Type.String({ description: 'Of a version.' })),
  gestures: Type.Array(Type.String(), {
    description: "Labels of the person's changes, newest first: of at most five saves.",
  }),
  count: Type.Integer({ description: 'Saves.' }),
  isKept: Type.Boolean({ description: 'Whether the state after it can be read: it is kept for 30 days.' }),
})
export type TimelineEntry = Static<typeof TimelineEntry>

export const listWorkflowTimelineForBuilder = defineOperation({
  id: 'listWorkflowTimeline',
  method: 'GET',
  path: `${WORKFLOW_PATH}/timeline`,
  tag: 'Workflows',
  summary: 'List the events of a workflow and its draft',
  description:
    'Versions, snapshots and changes of the draft in one list. Changes are kept for 30 days or 5,000 revisions.',
  access: 'builder',
  needs: 'read',
  params: WorkflowPathParams,
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: '^[0-9]{17,40}$',
        patternMessage: 'must be the `next` of the previous page',
        maxLength: 40,
        description: 'The `next` of the previous page.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  success: {
    status: 200,
    description: 'One page, newest first.',
    body: Type.Object({
      data: Type.Array(TimelineEntry),
      next: Nullable(Type.String({ description: 'The `after` of the next page; null: there is none.' })),
    }),
  },
  errors: ['validation_error', 'workflow_not_found'],
})

/** A draft at a revision. */
export const DraftRevision = Type.Object({ revision: Type.Integer(), graph: Workflow.properties.draft })
export type DraftRevision = Static<typeof DraftRevision>

export const getDraftRevisionForBuilder = defineOperation({
  id: 'getDraftRevision',
  method: 'GET',
  path: `${WORKFLOW_PATH}/draft/revisions/{revision}`,
  tag: 'Workflows',
  summary: 'Get the draft as it was at a revision',
  description: 'Revisions of 30 days are kept.',
  access: 'builder',
  needs: 'read',
  params: Type.Object({ ...WorkflowPathParams.properties, revision: Type.String() }),
  success: { status: 200, description: 'The draft at that revision.', body: DraftRevision },
  errors: ['workflow_not_found', 'version_not_found'],
})

/** The reason for keeping the draft. */
export const KeepDraftBody = Type.Object({
  label: Type.Optional(Type.String({ maxLength: 200, description: '"Before a restore of version 3"' })),
})
export type KeepDraftBody = Static<typeof KeepDraftBody>

export const keepDraftForBuilder = defineOperation({
  id: 'keepDraft',
  method: 'POST',
  path: `${WORKFLOW_PATH}/draft/snapshots`,
  tag: 'Workflows',
  summary: 'Keep the draft as it is now in the timeline',
  description:
    'The newest 200 states of a draft are kept for 30 days, up to 64 MB. Each request is an entry of the timeline with its own label, also when several keep the same revision; the newest 1,000 entries are kept.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  body: KeepDraftBody,
  success: {
    status: 201,
    description: 'It is kept.',
    body: Type.Object({ revision: Type.Integer(), at: IsoTimestamp() }),
  },
  errors: ['validation_error', 'workflow_not_found'],
})
