import { type Static, Type } from 'typebox'
import { DraftSave } from '../../errors/error-body.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Expose } from '../../schema/expose.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { UnsavedChangesId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const Put = Type.Object(
  {
    node: Type.Optional(OpenObject({ description: 'A whole node; one with its id is replaced.' })),
    edge: Type.Optional(OpenObject({ description: 'A whole edge; one with its id is replaced.' })),
    before: Type.Optional(
      Type.String({
        maxLength: 300,
        description: 'The id of the node or the edge before which a new one is inserted; absent: last.',
      }),
    ),
    formerId: Type.Optional(
      Type.String({
        maxLength: 300,
        description:
          'Of a node that is a step with another id: the one that it had. Its pinned output follows it if the same save removes the old id, or assigns it to another step.',
      }),
    ),
  },
  { description: 'Either a node or an edge.' },
)
const Remove = Type.Object(
  { nodeId: Type.Optional(Type.String()), edgeId: Type.Optional(Type.String()) },
  { description: 'Either a node or an edge. The edges of a node are removed by separate changes.' },
)

/** The revision of the draft that a change is based on. */
export const draftRevision = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The revision that the change was made from. Only the operator may leave it out.',
  }),
)

/** One change of a draft. */
const DraftChange = Type.Object(
  {
    put: Type.Optional(Put),
    remove: Type.Optional(Remove),
    expose: Type.Optional(
      Type.Union([Expose, Type.Null()], { description: 'Offers the workflow over MCP; null: not.' }),
    ),
  },
  { description: 'Exactly one.' },
)

/** The changes of a draft, instead of the whole draft, which may be megabytes. */
export const SaveDraftBody = Type.Object({
  draftRevision,
  changeId: Type.Optional(
    Uuid<UnsavedChangesId>({
      description: 'Of this save. The same one again is answered as before, so a lost answer costs nothing.',
    }),
  ),
  changes: Type.Array(DraftChange, { minItems: 1, maxItems: 60_000, description: 'In this order.' }),
  gesture: Type.Optional(
    Type.String({ maxLength: 200, description: 'Label of the change, for the audit log: "Rename Start".' }),
  ),
})
export type SaveDraftBody = Static<typeof SaveDraftBody>

export const saveWorkflowDraftForBuilder = defineOperation({
  id: 'saveWorkflowDraft',
  method: 'POST',
  path: `${WORKFLOW_PATH}/draft`,
  tag: 'Workflows',
  summary: 'Save changes of the draft',
  description:
    "The draft is replaced as a whole or not at all. One person's saves within five minutes are one entry of the audit log. A `draft_conflict` has the saves since the revision of the request, in `changesSince`, unless they are more than 256 KB or have gaps.",
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  body: SaveDraftBody,
  success: {
    status: 200,
    description: 'The changes are stored.',
    body: Type.Object({
      draftRevision: Type.Integer(),
      savedAt: IsoTimestamp(),
      isDraftPublished: Type.Boolean({ description: 'Whether callers run exactly the draft now.' }),
    }),
  },
  errors: ['validation_error', 'workflow_not_found', 'draft_conflict'],
})

export const listDraftChangesForBuilder = defineOperation({
  id: 'listDraftChanges',
  method: 'GET',
  path: `${WORKFLOW_PATH}/draft/changes`,
  tag: 'Workflows',
  summary: 'List the changes of the draft since a revision',
  description:
    'For readers of an older revision, in pages of up to 256 KB, or of one larger save. Changes are kept for 30 days or 5,000 revisions, and a save of a whole draft is not listed: then `isComplete` is false and `next` is null, and the draft has to be read.',
  access: 'builder',
  needs: 'read',
  params: WorkflowPathParams,
  query: Type.Object({
    since: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The revision that is known.' }),
  }),
  success: {
    status: 200,
    description: 'The saves after it, oldest first.',
    body: Type.Object({
      draftRevision: Type.Integer({ description: 'Of the draft now.' }),
      isComplete: Type.Boolean({ description: 'Whether `data` has everything up to `draftRevision`.' }),
      next: Nullable(
        Type.Integer({
          description: 'The `since` of the next page; null: there is none, or a gap is before it.',
        }),
      ),
      isDraftPublished: Type.Boolean({ description: 'Whether callers run exactly the draft now.' }),
      data: Type.Array(DraftSave),
    }),
  },
  errors: ['validation_error', 'workflow_not_found'],
})
