import { isJsonObject } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'

/** An empty graph. */
export const NO_GRAPH: Graph = { nodes: [], edges: [] }

/**
 * Reads a stored graph, which the server has checked and completed. Invalid parts are omitted, so that a page shows the rest; changes are
 * saved only for a graph that passes {@link isExactGraph}.
 */
export function readGraph(stored: unknown): Graph {
  if (!isJsonObject(stored)) return NO_GRAPH
  return {
    nodes: listOf(stored.nodes).flatMap(readNode),
    edges: listOf(stored.edges).flatMap(readEdge),
    ...(stored.expose === 'mcp' ? { expose: 'mcp' } : {}),
  }
}

/** Whether {@link readGraph} keeps every node and edge of it. */
function isWholeGraph(stored: unknown): boolean {
  if (!isJsonObject(stored)) return false
  const read = readGraph(stored)
  const isWhole = (value: unknown, kept: readonly unknown[]) =>
    value === undefined ? kept.length === 0 : Array.isArray(value) && value.length === kept.length
  return isWhole(stored.nodes, read.nodes) && isWhole(stored.edges, read.edges)
}

const NODE_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'name', 'parentId', 'position', 'config', 'disabled'],
])
const EDGE_KEYS: ReadonlySet<string> = new Set(['id', 'source', 'sourceHandle', 'target'])

/**
 * Whether a typed graph is read without loss: no unknown fields, no wrong types, no repeated ids. For any other graph, the server reports
 * the problems.
 */
export function isExactGraph(typed: unknown): boolean {
  if (!isJsonObject(typed) || !isWholeGraph(typed)) return false
  const { nodes, edges, expose, ...others } = typed
  return (
    Object.keys(others).length === 0 &&
    (expose === undefined || expose === null || expose === 'mcp') &&
    listOf(nodes).every(isExactNode) &&
    listOf(edges).every(isExactEdge) &&
    [nodes, edges].every((parts) => hasOwnIds(listOf(parts)))
  )
}

function isExactNode(node: unknown): boolean {
  if (!isJsonObject(node) || !Object.keys(node).every((key) => NODE_KEYS.has(key))) return false
  const { name, parentId, position, config, disabled } = node
  return (
    (disabled === undefined || typeof disabled === 'boolean') &&
    (name === undefined || typeof name === 'string') &&
    (parentId === undefined || parentId === null || typeof parentId === 'string') &&
    (position === undefined || isExactPosition(position)) &&
    (config === undefined || isJsonObject(config))
  )
}

function isExactPosition(position: unknown): boolean {
  if (!isJsonObject(position)) return false
  const { x, y, ...others } = position
  return Object.keys(others).length === 0 && typeof x === 'number' && typeof y === 'number'
}

function isExactEdge(edge: unknown): boolean {
  if (!isJsonObject(edge) || !Object.keys(edge).every((key) => EDGE_KEYS.has(key))) return false
  return edge.sourceHandle === undefined || typeof edge.sourceHandle === 'string'
}

const hasOwnIds = (parts: readonly unknown[]) =>
  new Set(parts.map((part) => (isJsonObject(part) ? part.id : undefined))).size === parts.length

function readNode(value: unknown): GraphNode[] {
  if (!isJsonObject(value)) return []
  const { id, type, name, parentId, position, config, disabled } = value
  if (typeof id !== 'string' || typeof type !== 'string') return []
  return [
    {
      id,
      type,
      name: typeof name === 'string' ? name : id,
      parentId: typeof parentId === 'string' ? parentId : null,
      position: isJsonObject(position) ? { x: Number(position.x), y: Number(position.y) } : { x: 0, y: 0 },
      config: isJsonObject(config) ? config : {},
      ...(disabled === true && { disabled }),
    },
  ]
}

function readEdge(value: unknown): GraphEdge[] {
  if (!isJsonObject(value)) return []
  const { id, source, sourceHandle = 'out', target } = value
  const isEdge = typeof id === 'string' && typeof source === 'string' && typeof target === 'string'
  return isEdge ? [{ id, source, sourceHandle: String(sourceHandle), target }] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
