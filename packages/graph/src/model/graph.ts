import { type Checked, Expose, validator } from '@troupe/contract'
import { type Static, Type } from 'typebox'

const NODE_ID = {
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  patternMessage: 'must have 1 to 64 letters, digits, _ or -',
}
const NodeId = Type.String(NODE_ID)
const name = Type.String({ minLength: 1, maxLength: 128 })

/**
 * A node as stored. A `disabled` node is skipped and passes on the output of the step before it. `parentId` is the Loop
 * that contains it; positions are relative to that Loop.
 */
const NodeInput = Type.Object({
  id: NodeId,
  type: Type.String({ minLength: 1, maxLength: 64 }),
  name,
  parentId: Type.Optional(Type.Unsafe<string | null>({ ...NODE_ID, type: ['string', 'null'] })),
  position: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
  config: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 1_000 })),
  disabled: Type.Optional(Type.Boolean()),
})

const EdgeInput = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 300 }),
  source: NodeId,
  sourceHandle: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  target: NodeId,
})

/** Maximum nodes and edges of a graph. */
export const MAX_NODES = 10_000
export const MAX_EDGES = 20_000

/** The JSON of a workflow, as in builder saves, bundles and published versions. */
export const GraphInput = Type.Object({
  nodes: Type.Array(NodeInput, { maxItems: MAX_NODES }),
  edges: Type.Array(EdgeInput, { maxItems: MAX_EDGES }),
  expose: Type.Optional(Expose),
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
  /**
   * Whether it is skipped: it then has the output of the previous step, and takes its first handle. Absent: it runs.
   */
  disabled?: true
}

/** An edge from a handle of one node to the single input of another. */
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
  /** Exposes the published workflow over MCP; absent: only the API and its triggers run it. */
  expose?: 'mcp'
}

/** Maximum bytes of a graph as JSON. */
export const MAX_GRAPH_BYTES = 4 * 1024 * 1024

const checkGraph = validator(GraphInput)
const checkNode = validator(NodeInput)
const checkEdge = validator(EdgeInput)

/** Maps the value of a successful check. */
function mapped<In, Out>(checked: Checked<In>, change: (value: In) => Out): Checked<Out> {
  return checked.ok ? { ok: true, value: change(checked.value) } : checked
}

/** Checks the shape of one node and fills in its defaults: no parent Loop, position at the origin, empty config. */
export function parseNode(value: unknown, prefix = ''): Checked<GraphNode> {
  return mapped(checkNode(value, prefix), completeNode)
}

/** Checks the shape of one edge and fills in the handle `out`. */
export function parseEdge(value: unknown, prefix = ''): Checked<GraphEdge> {
  return mapped(checkEdge(value, prefix), completeEdge)
}

/**
 * Checks the shape of a graph and fills in its defaults; `validateGraph` checks the semantics. `prefix` is prepended
 * to every path.
 */
export function parseGraph(value: unknown, prefix = ''): Checked<Graph> {
  return mapped(checkGraph(value, prefix), ({ nodes, edges, expose }) => ({
    nodes: nodes.map(completeNode),
    edges: edges.map(completeEdge),
    ...(expose && { expose }),
  }))
}

function completeNode(node: Static<typeof NodeInput>): GraphNode {
  return {
    id: node.id,
    type: node.type,
    name: node.name,
    parentId: node.parentId ?? null,
    position: node.position ?? { x: 0, y: 0 },
    config: node.config ?? {},
    ...(node.disabled && { disabled: true }),
  }
}

function completeEdge(edge: Static<typeof EdgeInput>): GraphEdge {
  return { id: edge.id, source: edge.source, sourceHandle: edge.sourceHandle ?? 'out', target: edge.target }
}
