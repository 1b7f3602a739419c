import { isPlaced, looseIn } from '@troupe/editor/layout/placed-level'
import type { NodeShape } from '@troupe/editor/outline/frame'
import type { Graph, GraphNode } from '@troupe/graph'
import type { MapGraph, PlacedNode } from './map-graph.ts'
import { noteSize } from './note-size.ts'

/** The layout's view of a graph: connections in the order of their step's handles, each once. */
export function mapOfGraph(graph: Graph, shapeOf: (node: GraphNode) => NodeShape): MapGraph {
  const shapes = new Map(graph.nodes.map((node) => [node.id, shapeOf(node)]))
  const kindOf = ({ id }: Pick<GraphNode, 'id'>): PlacedNode['kind'] => {
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
  const levels = Map.groupBy(graph.nodes, ({ parentId }) => parentId)
  const loose = new Set<string>()
  for (const level of levels.values()) {
    const isByHand = isPlaced(level.map(({ position }) => position))
    const own = isByHand ? looseIn(level) : level.map(({ id }) => id)
    for (const id of own) loose.add(id)
  }
  return {
    nodes: graph.nodes.map(({ id, parentId, position, config }) => {
      const kind = kindOf({ id })
      const size = kind === 'note' ? noteSize(config) : null
      return {
        ...{ id, parentId, kind, handles: shapes.get(id)?.handles ?? [] },
        ...(loose.has(id) ? {} : { position: { x: within(position.x), y: within(position.y) } }),
        ...(size && { size }),
      }
    }),
    edges: edges
      .map((edge) => ({ edge, place: placeOf(edge) }))
      .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
      .map(({ edge }) => edge),
  }
}

/** Beyond this, coordinates of a canvas lose precision. */
const FARTHEST = 100_000

function within(value: number): number {
  return Number.isFinite(value) ? Math.min(FARTHEST, Math.max(-FARTHEST, value)) : 0
}
