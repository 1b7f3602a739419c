import { defineOperation, IsoTimestamp, OpenObject } from '@troupe/contract'
import { type Static, Type } from 'typebox'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const Put = Type.Object(
  {
    node: Type.Optional(OpenObject({ description: 'A whole node; one with its id is replaced.' })),
    edge: Type.Optional(OpenObject({ description: 'A whole edge; one with its id is replaced.' })),
    before: Type.Optional(
      Type.String({
        maxLength: 300,
        description: 'The id of the node or the edge that a new one stands before; absent: it comes last.',
      }),
    ),
  },
  { description: 'Either a node or an edge.' },
)
const Remove = Type.Object(
  { nodeId: Type.Optional(Type.String()), edgeId: Type.Optional(Type.String()) },
  { description: 'Either a node or an edge. The edges of a node are removed by changes of their own.' },
)

/** The revision of the draft that a change was made from. */
export const draftRevision = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'The revision that the change was made from. Only the operator may leave it out.',
  }),
)

/** What changed in a draft, instead of the whole draft, which may be megabytes. */
export const SaveDraftBody = Type.Object({
  draftRevision,
  changes: Type.Array(
    Type.Object({ put: Type.Optional(Put), remove: Type.Optional(Remove) }, { description: 'Exactly one.' }),
    { minItems: 1, maxItems: 20_000, description: 'In this order.' },
  ),
  gesture: Type.Optional(
    Type.String({ maxLength: 200, description: 'What the person did, for the audit log: "Rename Start".' }),
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
    'The draft is replaced as a whole or not at all. What one person saves within five minutes is one entry of the audit log.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  body: SaveDraftBody,
  success: {
    status: 200,
    description: 'The changes are stored.',
    body: Type.Object({ draftRevision: Type.Integer(), savedAt: IsoTimestamp() }),
  },
  errors: ['validation_error', 'workflow_not_found', 'draft_conflict'],
})
