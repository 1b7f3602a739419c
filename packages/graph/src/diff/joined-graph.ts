import type { Graph } from '../model/graph.ts'

/**
 * Two graphs combined: the later one, followed by the nodes and edges that only the earlier one has. Nodes are
 * identified by id, edges by their endpoints.
 */
export function joinedGraph(before: Graph, after: Graph): Graph {
  const ids = new Set(after.nodes.map(({ id }) => id))
  const keyOf = ({ source, sourceHandle, target }: Graph['edges'][number]) =>
    JSON.stringify([source, sourceHandle, target])
  const edges = new Set(after.edges.map(keyOf))
  return {
    nodes: [...after.nodes, ...before.nodes.filter(({ id }) => !ids.has(id))],
    edges: [...after.edges, ...before.edges.filter((edge) => !edges.has(keyOf(edge)))],
  }
}
