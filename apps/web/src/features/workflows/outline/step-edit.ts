import { type IdText, isJsonObject, type WorkflowId } from '@troupe/contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { editedSteps, type KeptStepEdit, removedSteps } from '../../../core/workflows/removed-steps.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useDraftsBelow } from '../../../infrastructure/drafts/use-drafts-below.ts'

/** The unsaved input of one step. */
export interface StepEdit {
  name: string
  config: string
  /** The base node, as JSON. */
  from: string
}

/** The storage key of a step's edit. */
export const stepDraftKey = (workflowId: IdText<WorkflowId>, nodeId: string) =>
  `workflow/${workflowId}/node/${nodeId}`

export function isStepEdit(value: unknown): value is StepEdit {
  return (
    isJsonObject(value) && [value.name, value.config, value.from].every((part) => typeof part === 'string')
  )
}

/**
 * The selected step before another user removed it while it was edited here; null: no input would be lost.
 *
 * @param open the content of the open editor: its step must not disappear while the storage is read
 */
export function useRemovedStep(
  workflowId: IdText<WorkflowId>,
  graph: Graph,
  chosen: string | null,
  open: KeptStepEdit | null,
): GraphNode | null {
  const isGone = chosen !== null && !graph.nodes.some(({ id }) => id === chosen)
  // For an existing step, its editor holds the edit.
  const { value } = useDraft<StepEdit>(stepDraftKey(workflowId, isGone ? chosen : ''), isStepEdit)
  if (!isGone) return null
  const from = open?.nodeId === chosen ? open.from : value?.from
  return from === undefined ? null : (removedSteps(graph, [{ nodeId: chosen, from }])[0] ?? null)
}

/** Steps with unsaved edits from this device. */
export interface KeptSteps {
  /** Steps removed by other users in the meantime. */
  removed: GraphNode[]
  /** The draft's value, unchanged. */
  edited: GraphNode[]
}

/** The steps with stored edits. `moment` changes when an edit may have been made or discarded. */
export function useKeptSteps(workflowId: IdText<WorkflowId>, graph: Graph, moment: string): KeptSteps {
  const kept = useDraftsBelow(stepDraftKey(workflowId, ''), moment)
  const edits = [...kept].flatMap(([nodeId, value]) => (isStepEdit(value) ? [{ nodeId, ...value }] : []))
  // An unparsable JSON part of a form.
  const unread = useDraftsBelow(`unread/${stepDraftKey(workflowId, '')}`, moment)
  const edited = new Set([...editedSteps(graph, edits).map(({ id }) => id), ...unread.keys()])
  return { removed: removedSteps(graph, edits), edited: graph.nodes.filter(({ id }) => edited.has(id)) }
}
