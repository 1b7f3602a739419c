import type { Graph, GraphNode } from '@troupe/graph'
import { behindStep, type StepChange } from './edit-steps.ts'

/** A step behind which another one can be put, and on which of its ways. */
export interface StepPlace {
  after: GraphNode
  handles: readonly string[]
}

type HandlesOf = (node: GraphNode) => readonly string[]

const levelOf = (after: GraphNode, handle: string) => (handle === 'body' ? after.id : after.parentId)

/**
 * Where a step can be put to which nothing leads: behind `reached` steps that do not follow it. A step with connections stays in the
 * Loop that it is in, or outside of all.
 */
export function placesFor(
  graph: Graph,
  node: GraphNode,
  reached: readonly GraphNode[],
  handlesOf: HandlesOf,
): StepPlace[] {
  const later = new Set([node.id])
  // A Set that grows while it is read.
  for (const id of later) for (const edge of graph.edges) if (edge.source === id) later.add(edge.target)
  const isConnected = graph.edges.some(({ source }) => source === node.id)
  return reached.flatMap((after) => {
    const handles = handlesOf(after).filter(
      (handle) => !isConnected || levelOf(after, handle) === node.parentId,
    )
    return later.has(after.id) || handles.length === 0 ? [] : [{ after, handles }]
  })
}

/** Puts a step behind a way of another one. What followed there follows the step, unless it leads on already. */
export function connectStep(
  graph: Graph,
  node: GraphNode,
  after: GraphNode,
  handle: string,
  handlesOf: HandlesOf,
): StepChange[] {
  const parentId = levelOf(after, handle)
  const leadsOn = graph.edges.some(
    ({ source, sourceHandle }) => source === node.id && sourceHandle !== 'body',
  )
  return [
    ...(parentId === node.parentId ? [] : [{ put: { node: { ...node, parentId } } }]),
    ...behindStep(graph, after, handle, { id: node.id, handles: leadsOn ? [] : handlesOf(node) }),
  ]
}
