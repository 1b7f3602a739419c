import { isJsonObject } from '@troupe/contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { readGraph } from '../../../core/workflows/read-graph.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'

/** What was typed into one step and not saved. */
export interface StepEdit {
  name: string
  config: string
  /** The node that it was made from, as JSON. */
  from: string
}

/** Where an edit of a step is kept. */
export const stepDraftKey = (workflowId: string, nodeId: string) => `workflow/${workflowId}/node/${nodeId}`

export function isStepEdit(value: unknown): value is StepEdit {
  return (
    isJsonObject(value) && [value.name, value.config, value.from].every((part) => typeof part === 'string')
  )
}

/** The chosen step as it was when somebody else removed it while it was edited here; null: nothing typed would be lost. */
export function useRemovedStep(workflowId: string, graph: Graph, chosen: string | null): GraphNode | null {
  const isGone = chosen !== null && !graph.nodes.some(({ id }) => id === chosen)
  // Of a step that is there, its editor holds the edit.
  const { value } = useDraft<StepEdit>(stepDraftKey(workflowId, isGone ? chosen : ''), isStepEdit)
  if (!isGone || value === null) return null
  return readGraph({ nodes: [readFrom(value.from)] }).nodes.find(({ id }) => id === chosen) ?? null
}

function readFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
