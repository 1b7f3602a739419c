import type { GraphEdge, GraphNode } from '../model/graph.ts'
import type { NodeTypes } from '../model/node-types.ts'

/** Why an edge is invalid. */
export interface EdgeFault {
  code: 'unknown_node' | 'unknown_handle' | 'edge_into_trigger' | 'edge_at_note' | 'edge_across_border'
  /** The key of the edge that is invalid. */
  key: 'source' | 'sourceHandle' | 'target'
  message: string
}

/**
 * The fault of a single edge; null for a valid one. Only an edge from `body` of a Loop to one of its children may cross
 * levels. An unknown node type accepts any handle.
 */
export function edgeFault(
  edge: GraphEdge,
  nodes: ReadonlyMap<string, GraphNode>,
  types: NodeTypes,
): EdgeFault | null {
  const source = nodes.get(edge.source)
  const target = nodes.get(edge.target)
  if (!source)
    return { code: 'unknown_node', key: 'source', message: `names an unknown node: ${edge.source}` }
  if (!target)
    return { code: 'unknown_node', key: 'target', message: `names an unknown node: ${edge.target}` }
  const from = types.get(source.type)
  const to = types.get(target.type)
  if (from?.role === 'note') return { code: 'edge_at_note', key: 'source', message: 'a Note has no edges' }
  if (to?.role === 'note') return { code: 'edge_at_note', key: 'target', message: 'a Note has no edges' }
  if (to?.role === 'trigger') {
    return { code: 'edge_into_trigger', key: 'target', message: `${target.id} is a trigger and has no input` }
  }
  const handles = from?.handles(source.config) ?? [edge.sourceHandle]
  if (!handles.includes(edge.sourceHandle)) {
    const has = handles.length === 0 ? 'none' : handles.join(', ')
    const message = `${source.id} has no handle "${edge.sourceHandle}" (has: ${has})`
    return { code: 'unknown_handle', key: 'sourceHandle', message }
  }
  if (from?.role === 'loop' && edge.sourceHandle === 'body') {
    if (target.parentId === source.id) return null
    const message = `${target.id} is not in the body of ${source.id}`
    return { code: 'edge_across_border', key: 'target', message }
  }
  if (source.parentId === target.parentId) return null
  const message = `${source.id} and ${target.id} are not in the same body`
  return { code: 'edge_across_border', key: 'target', message }
}
