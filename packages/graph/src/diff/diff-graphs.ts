import { isJsonObject } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '../model/graph.ts'

/** A differing value; null also means absent. */
export interface FieldDifference {
  /** Below the node, dotted: `name`, `config.rows.0.value`. */
  path: string
  before: unknown
  after: unknown
}

/** A node that is only in one of two graphs, or differs. */
export interface NodeDifference {
  change: 'added' | 'removed' | 'changed'
  nodeId: string
  /** From the later graph, or from the earlier one if the node was removed. */
  name: string
  type: string
  /** Set for a changed node. */
  fields: FieldDifference[]
}

/** An edge that is only in one of two graphs. */
export interface EdgeDifference {
  change: 'added' | 'removed'
  source: string
  sourceHandle: string
  target: string
}

/** The differences between two graphs. Ids of edges and the order of nodes and edges are ignored. */
export interface GraphDifference {
  nodes: NodeDifference[]
  edges: EdgeDifference[]
  /** Nodes that were only moved on the canvas. */
  moved: string[]
  /** Where the workflow is exposed besides its triggers; null: the same in both. */
  expose: { before: 'mcp' | null; after: 'mcp' | null } | null
}

/** Deeper values are compared as a whole. */
const MAX_DEPTH = 12
/** Objects with longer keys are compared as a whole, because every path below a key repeats it. */
const MAX_KEY_LENGTH = 100
/**
 * Maximum differences of a node. Above it, only the settings are compared as a whole, so that a difference is not much
 * longer than the graphs.
 */
const MOST_FIELDS = 200

/** Compares two graphs: additions and changes in the order of the later one, then removals. */
export function diffGraphs(before: Graph, after: Graph): GraphDifference {
  const earlier = byId(before.nodes)
  const later = byId(after.nodes)
  const nodes: NodeDifference[] = []
  const moved: string[] = []
  for (const node of later.values()) {
    const old = earlier.get(node.id)
    const fields = old ? fieldsOf(old, node) : []
    if (!old) nodes.push(difference('added', node))
    else if (fields.length > 0) nodes.push({ ...difference('changed', node), fields })
    else if (isElsewhere(old, node)) moved.push(node.id)
  }
  for (const node of earlier.values()) if (!later.has(node.id)) nodes.push(difference('removed', node))
  return { nodes, edges: edgesOf(before.edges, after.edges), moved, expose: exposeOf(before, after) }
}

function exposeOf(before: Graph, after: Graph): GraphDifference['expose'] {
  const [was, is] = [before.expose ?? null, after.expose ?? null]
  return was === is ? null : { before: was, after: is }
}

function byId(nodes: readonly GraphNode[]): Map<string, GraphNode> {
  return new Map(nodes.map((node) => [node.id, node]))
}

function difference(change: NodeDifference['change'], { id, name, type }: GraphNode): NodeDifference {
  return { change, nodeId: id, name, type, fields: [] }
}

function isElsewhere({ position: a }: GraphNode, { position: b }: GraphNode): boolean {
  return a.x !== b.x || a.y !== b.y
}

function fieldsOf(before: GraphNode, after: GraphNode): FieldDifference[] {
  const settings = ({ name, type, parentId, config, disabled }: GraphNode) => ({
    ...{ name, type, parentId, config },
    disabled: disabled === true,
  })
  const [earlier, later] = [settings(before), settings(after)]
  const found = compare(earlier, later, { path: '', depth: 0 })
  return found.length > MOST_FIELDS ? compare(earlier, later, { path: '', depth: MAX_DEPTH }) : found
}

/** Stops soon after {@link MOST_FIELDS} differences. */
function compare(
  before: unknown,
  after: unknown,
  { path, depth }: { path: string; depth: number },
  found: FieldDifference[] = [],
): FieldDifference[] {
  const keys = depth <= MAX_DEPTH ? keysOf(before, after) : null
  if (keys === null) {
    if (JSON.stringify(before ?? null) !== JSON.stringify(after ?? null)) {
      found.push({ path, before: before ?? null, after: after ?? null })
    }
    return found
  }
  for (const key of keys) {
    if (found.length > MOST_FIELDS) break
    const place = { path: path === '' ? key : `${path}.${key}`, depth: depth + 1 }
    compare(memberOf(before, key), memberOf(after, key), place, found)
  }
  return found
}

/** The keys of two objects or two lists; null for values that are compared as a whole. */
function keysOf(before: unknown, after: unknown): Iterable<string> | null {
  if (Array.isArray(before) && Array.isArray(after)) {
    return Object.keys(before.length > after.length ? before : after)
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return null
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].some(({ length }) => length > MAX_KEY_LENGTH) ? null : keys
}

/** Own properties only: a key may have the name of an inherited member, such as `constructor`. */
function memberOf(value: unknown, key: string): unknown {
  const member = typeof value === 'object' && value !== null && Object.getOwnPropertyDescriptor(value, key)
  return member ? member.value : undefined
}

function edgesOf(before: readonly GraphEdge[], after: readonly GraphEdge[]): EdgeDifference[] {
  const keyOf = ({ source, sourceHandle, target }: GraphEdge) =>
    JSON.stringify([source, sourceHandle, target])
  const missing = (from: readonly GraphEdge[], keys: ReadonlySet<string>, change: EdgeDifference['change']) =>
    from
      .filter((edge) => !keys.has(keyOf(edge)))
      .map(({ source, sourceHandle, target }) => ({ change, source, sourceHandle, target }))
  return [
    ...missing(after, new Set(before.map(keyOf)), 'added'),
    ...missing(before, new Set(after.map(keyOf)), 'removed'),
  ]
}
