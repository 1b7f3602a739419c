import type { NodeShape } from '@troupe/editor/outline/frame'
import type { Graph, GraphNode } from '@troupe/graph'
import { noteSize } from './note-size.ts'

/**
 * Whether two states of a graph have the same layout: they differ in names and settings only. Identical step objects are skipped,
 * so that the cost of a keystroke depends on its change. A false result may be wrong; a true one never is.
 */
export function isSamePicture(one: Graph, other: Graph, shapeOf: (node: GraphNode) => NodeShape): boolean {
  if (one === other) return true
  if (one.nodes.length !== other.nodes.length || one.edges.length !== other.edges.length) return false
  return (
    one.edges.every((edge, at) => edge === other.edges[at]) &&
    one.nodes.every((node, at) => {
      const next = other.nodes[at]
      return node === next || (next !== undefined && isSameBox(node, next, shapeOf))
    })
  )
}

function isSameBox(one: GraphNode, other: GraphNode, shapeOf: (node: GraphNode) => NodeShape): boolean {
  const isSamePlace =
    one.id === other.id &&
    one.parentId === other.parentId &&
    one.position.x === other.position.x &&
    one.position.y === other.position.y
  return isSamePlace && boxOf(one, shapeOf) === boxOf(other, shapeOf)
}

function boxOf(node: GraphNode, shapeOf: (node: GraphNode) => NodeShape): string {
  const { role, handles } = shapeOf(node)
  return JSON.stringify([role, handles, role === 'note' ? noteSize(node.config) : null])
}
