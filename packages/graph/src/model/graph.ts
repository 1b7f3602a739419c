import { type Checked, validator } from '@troupe/contract'
import { type Static, Type } from 'typebox'

const NODE_ID = {
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  patternMessage: 'must have 1 to 64 letters, digits, _ or -',
}
const NodeId = Type.String(NODE_ID)
const name = Type.String({ minLength: 1, maxLength: 128 })

/** A node as it is stored. `parentId` is the Loop whose body it belongs to; positions are relative to it. */
const NodeInput = Type.Object({
  id: NodeId,
  type: Type.String({ minLength: 1, maxLength: 64 }),
  name,
  parentId: Type.Optional(Type.Unsafe<string | null>({ ...NODE_ID, type: ['string', 'null'] })),
  position: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
  config: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
})

const EdgeInput = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 300 }),
  source: NodeId,
  sourceHandle: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  target: NodeId,
})

/** The JSON of a workflow: what the builder saves, a bundle brings and a version keeps. */
export const GraphInput = Type.Object({
  nodes: Type.Array(NodeInput, { maxItems: 10_000 }),
  edges: Type.Array(EdgeInput, { maxItems: 20_000 }),
})
export type GraphInput = Static<typeof GraphInput>

/** A node with everything filled in. */
export interface GraphNode {
  id: string
  type: string
  name: string
  /** The Loop whose body it belongs to; null in the root frame. */
  parentId: string | null
  position: { x: number; y: number }
  config: Record<string, unknown>
}

/** An arrow from a handle of one node to the one input of another. */
export interface GraphEdge {
  id: string
  source: string
  sourceHandle: string
  target: string
}

/** A workflow: nodes joined by edges. */
export interface Graph {
  nodes: GraphNode[]
  edges: GraphEdge[]
}

/** Most bytes that a graph may have as JSON. */
export const MAX_GRAPH_BYTES = 4 * 1024 * 1024

const check = validator(GraphInput)

/** Fills in what may be left out: `out` as the handle, the root as the parent, the origin as the position, no config. */
export function completeNode(node: GraphInput['nodes'][number]): GraphNode {
  return {
    id: node.id,
    type: node.type,
    name: node.name,
    parentId: node.parentId ?? null,
    position: node.position ?? { x: 0, y: 0 },
    config: node.config ?? {},
  }
}

/** Fills in the handle `out`. */
export function completeEdge(edge: GraphInput['edges'][number]): GraphEdge {
  return { id: edge.id, source: edge.source, sourceHandle: edge.sourceHandle ?? 'out', target: edge.target }
}

/**
 * Checks the shape of a graph and fills in its defaults. What the nodes and edges mean together is not looked at; that
 * is `validateGraph`. `prefix` is put before every path.
 */
export function parseGraph(value: unknown, prefix = ''): Checked<Graph> {
  const checked = check(value, prefix)
  if (!checked.ok) return checked
  const { nodes, edges } = checked.value
  return { ok: true, value: { nodes: nodes.map(completeNode), edges: edges.map(completeEdge) } }
}
