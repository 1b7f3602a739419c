import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph, GraphNode } from '@troupe/graph'
import { asJson } from './node-settings.ts'

/** An edit of a step: `from` is the node that it was made from, as JSON. */
export interface KeptStepEdit {
  nodeId: string
  from: string
}

/** The edited steps that the draft no longer has, as they were when their edits were made. */
export function removedSteps({ nodes }: Graph, edits: readonly KeptStepEdit[]): GraphNode[] {
  const present = new Set(nodes.map(({ id }) => id))
  return edits
    .filter(({ nodeId }) => !present.has(nodeId))
    .flatMap(({ nodeId, from }) =>
      readGraph({ nodes: [readFrom(from)] }).nodes.filter(({ id }) => id === nodeId),
    )
}

/** The steps of the draft that their kept edits would change: `config` is the entered text. */
export function editedSteps(
  { nodes }: Graph,
  edits: readonly { nodeId: string; name: string; config: string }[],
): GraphNode[] {
  return nodes.filter((node) =>
    edits.some(
      ({ nodeId, name, config }) =>
        nodeId === node.id && (name !== node.name || config !== asJson(node.config)),
    ),
  )
}

function readFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
