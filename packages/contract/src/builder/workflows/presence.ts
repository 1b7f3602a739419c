import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { EditorTabId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

/** A report of a tab. */
export const SharePresenceBody = Type.Object({
  tabId: Uuid<EditorTabId>({ description: 'Chosen by the tab; the same for as long as it is open.' }),
  nodeId: Type.Optional(
    Nullable(Type.String({ maxLength: 300, description: 'The step that is open; null or absent: none.' })),
  ),
  isLeaving: Type.Optional(Type.Boolean({ description: 'The tab no longer shows the workflow.' })),
})
export type SharePresenceBody = Static<typeof SharePresenceBody>

/** A tab that shows a workflow. */
export const PresentTab = Type.Object({
  tabId: Uuid<EditorTabId>(),
  userId: Uuid<UserId>(),
  name: Type.String(),
  nodeId: Nullable(Type.String({ description: 'The step that is open; null: none.' })),
})
export type PresentTab = Static<typeof PresentTab>

export const sharePresenceForBuilder = defineOperation({
  id: 'sharePresence',
  method: 'POST',
  path: `${WORKFLOW_PATH}/presence`,
  tag: 'Workflows',
  summary: 'Report that a tab shows the workflow, and list the others',
  description:
    'Informative: it locks nothing. A tab counts for 45 seconds, so it repeats this about every 15; the topic `presence:<id>` of the events signals changes. Only signed-in members are shown, and only to members of the organization.',
  access: 'builder',
  needs: 'read',
  params: WorkflowPathParams,
  body: SharePresenceBody,
  success: {
    status: 200,
    description: 'All tabs that show the workflow, at most 50.',
    body: Type.Object({ data: Type.Array(PresentTab) }),
  },
  errors: ['validation_error', 'workflow_not_found'],
})
