import type { NodeShape } from '@troupe/editor/outline/frame'
import type { Graph, GraphNode } from '@troupe/graph'
import type { MapGraph, PlacedNode } from './map-graph.ts'

/** What the layout needs of a graph: ways leave in the order of the handles of their step, each once. */
export function mapOfGraph(graph: Graph, shapeOf: (node: GraphNode) => NodeShape): MapGraph {
  const shapes = new Map(graph.nodes.map((node) => [node.id, shapeOf(node)]))
  const kindOf = ({ id }: GraphNode): PlacedNode['kind'] => {
    const role = shapes.get(id)?.role
    return role === 'loop' || role === 'note' ? role : 'step'
  }
  const seen = new Set<string>()
  const edges = graph.edges.flatMap(({ source, sourceHandle, target }) => {
    const key = JSON.stringify([source, sourceHandle, target])
    if (seen.has(key)) return []
    seen.add(key)
    return [{ source, handle: sourceHandle, target }]
  })
  // A handle that the type does not know comes last.
  const placeOf = ({ source, handle }: (typeof edges)[number]) => {
    const at = shapes.get(source)?.handles.indexOf(handle) ?? -1
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  return {
    nodes: graph.nodes.map((node) => ({ id: node.id, parentId: node.parentId, kind: kindOf(node) })),
    edges: edges
      .map((edge) => ({ edge, place: placeOf(edge) }))
      .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
      .map(({ edge }) => edge),
  }
}
