import { edgeFault } from '../compile/edge-fault.ts'
import type { GraphEdge, GraphNode } from '../model/graph.ts'
import type { NodeTypes } from '../model/node-types.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'

/** Problems of the edges. Edges at one of the `broken` nodes are not checked. */
export function checkEdges(
  edges: readonly Placed<GraphEdge>[],
  nodes: readonly Placed<GraphNode>[],
  broken: ReadonlySet<string>,
  types: NodeTypes,
): GraphProblem[] {
  const byId = new Map(nodes.map(({ item }) => [item.id, item]))
  const ids = new Set<string>()
  const ends = new Set<string>()
  return edges.flatMap(({ item: edge, path }) => {
    const problem = finder(path, null, edge.id)
    const found: GraphProblem[] = []
    if (ids.size === ids.add(edge.id).size) {
      found.push(problem('block', 'duplicate_edge_id', 'id', `another edge has the id ${edge.id}`))
    }
    const end = `${edge.source} ${edge.target} ${edge.sourceHandle}`
    if (ends.size === ends.add(end).size) {
      const message = `another edge leads from ${edge.source} (${edge.sourceHandle}) to ${edge.target}`
      found.push(problem('block', 'duplicate_edge', '', message))
    }
    if (broken.has(edge.source) || broken.has(edge.target)) return found
    const fault = edgeFault(edge, byId, types)
    if (fault) found.push(problem('block', fault.code, fault.key, fault.message))
    return found
  })
}
