import type { SaveDraftBody } from '@troupe/builder-contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'

/** One change of a draft, as the server takes it. */
export type StepChange =
  | { put: { node: GraphNode; before?: string } }
  | { put: { edge: GraphEdge; before?: string } }
  | { remove: { nodeId: string } }
  | { remove: { edgeId: string } }

/** A node type as far as a new step needs it. */
export interface NewStep {
  type: string
  name: string
  handles: readonly string[]
}

const STEP_PX = 240

/** Puts a step behind a handle of another one; what followed there follows the new step. */
export function addStep(
  graph: Graph,
  after: GraphNode,
  handle: string,
  step: NewStep,
): { nodeId: string; changes: StepChange[] } {
  const isBody = handle === 'body'
  const id = freeId(
    graph.nodes.map(({ id: taken }) => taken),
    step.type,
  )
  const node: GraphNode = {
    id,
    type: step.type,
    name: freeId(
      graph.nodes.map(({ name }) => name),
      step.name,
      ' ',
    ),
    parentId: isBody ? after.id : after.parentId,
    position: isBody ? { x: 40, y: 60 } : { x: after.position.x + STEP_PX, y: after.position.y },
    config: {},
  }
  const connected = behindStep(graph, after, handle, { id, handles: step.handles })
  return { nodeId: id, changes: [{ put: { node } }, ...connected] }
}

/** Connects a step behind a handle of another one; what followed there follows the step, where it has a way on. */
export function behindStep(
  graph: Graph,
  after: GraphNode,
  handle: string,
  { id, handles }: { id: string; handles: readonly string[] },
): StepChange[] {
  const followed = graph.edges.filter((edge) => edge.source === after.id && edge.sourceHandle === handle)
  // What followed a step does not become the body of a Loop.
  const out = handles.find((one) => one !== 'body')
  // A step without a way out, such as a note, cannot stand before others.
  const moved = out === undefined ? [] : followed
  return [
    ...moved.map(({ id: edgeId }): StepChange => ({ remove: { edgeId } })),
    { put: { edge: edgeOf(after.id, handle, id) } },
    ...moved.map(({ target }): StepChange => ({ put: { edge: edgeOf(id, out ?? 'out', target) } })),
  ]
}

/** Takes a step out, with the body of a Loop; where all ways lead on to one step, the way there stays. */
export function removeStep(graph: Graph, node: GraphNode): StepChange[] {
  const gone = new Set([node.id])
  // A Set that grows while it is read: bodies of Loops inside the Loop.
  for (const id of gone) {
    for (const child of graph.nodes) if (child.parentId === id) gone.add(child.id)
  }
  const edges = graph.edges.filter(({ source, target }) => gone.has(source) || gone.has(target))
  const incoming = edges.filter(({ source, target }) => target === node.id && !gone.has(source))
  const outgoing = edges.filter(({ source, target }) => source === node.id && !gone.has(target))
  const [next, ...others] = new Set(outgoing.map(({ target }) => target))
  const kept =
    next !== undefined && others.length === 0
      ? incoming.filter(({ source, sourceHandle }) => !isThere(graph, source, sourceHandle, next))
      : []
  return [
    ...edges.map(({ id }): StepChange => ({ remove: { edgeId: id } })),
    ...[...gone].map((nodeId): StepChange => ({ remove: { nodeId } })),
    ...kept.map(
      ({ source, sourceHandle }): StepChange => ({
        put: { edge: edgeOf(source, sourceHandle, next ?? '') },
      }),
    ),
  ]
}

/** Changes in the form of the request. */
export function sentChanges(changes: readonly StepChange[]): SaveDraftBody['changes'] {
  return changes.map((change) => {
    if ('remove' in change) return change
    const { before } = change.put
    const place = before === undefined ? {} : { before }
    return 'node' in change.put
      ? { put: { node: { ...change.put.node }, ...place } }
      : { put: { edge: { ...change.put.edge }, ...place } }
  })
}

/** The changes that take others back. What they removed comes back at its place, so that the draft is as it was. */
export function takeBack(graph: Graph, changes: readonly StepChange[]): StepChange[] {
  const nodes = placesOf(graph.nodes)
  const edges = placesOf(graph.edges)
  const undoNode = (id: string): StepChange => {
    const node = nodes.get(id)
    return node ? { put: { node: node.part, ...node.place } } : { remove: { nodeId: id } }
  }
  const undoEdge = (id: string): StepChange => {
    const edge = edges.get(id)
    return edge ? { put: { edge: edge.part, ...edge.place } } : { remove: { edgeId: id } }
  }
  return changes.toReversed().map((change) => {
    if ('remove' in change) {
      return 'nodeId' in change.remove ? undoNode(change.remove.nodeId) : undoEdge(change.remove.edgeId)
    }
    return 'node' in change.put ? undoNode(change.put.node.id) : undoEdge(change.put.edge.id)
  })
}

/** Parts by their id, with the id of the part that follows each. */
function placesOf<T extends { id: string }>(parts: readonly T[]) {
  return new Map(
    parts.map((part, index) => {
      const next = parts[index + 1]
      return [part.id, { part, place: next ? { before: next.id } : {} }]
    }),
  )
}

function isThere(graph: Graph, source: string, handle: string, target: string): boolean {
  return graph.edges.some(
    (edge) => edge.source === source && edge.sourceHandle === handle && edge.target === target,
  )
}

function edgeOf(source: string, sourceHandle: string, target: string): GraphEdge {
  return { id: `${source}:${sourceHandle}:${target}`, source, sourceHandle, target }
}

function freeId(taken: readonly string[], wanted: string, between = '-'): string {
  const used = new Set(taken)
  if (!used.has(wanted)) return wanted
  for (let n = 2; ; n++) {
    const id = `${wanted}${between}${n}`
    if (!used.has(id)) return id
  }
}
