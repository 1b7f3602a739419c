import type { MapGraph } from './map-graph.ts'

/** A graph in which folded Loops are steps like others. */
export interface FoldedGraph {
  graph: MapGraph
  /** For each step that is not shown, the folded Loops around it. */
  hidden: ReadonlyMap<string, readonly string[]>
}

/** Removes the contents of folded Loops. Returns the same graph if nothing is folded. */
export function foldedGraph(graph: MapGraph, folded: ReadonlySet<string>): FoldedGraph {
  const loops = new Map(
    graph.nodes.flatMap((node) => (node.kind === 'loop' ? [[node.id, node] as const] : [])),
  )
  const isFolded = (id: string) => folded.has(id) && loops.has(id)
  const hidden = new Map<string, readonly string[]>()
  for (const { id, parentId } of graph.nodes) {
    const around: string[] = []
    const seen = new Set([id])
    for (let at = parentId; at !== null && !seen.has(at); at = loops.get(at)?.parentId ?? null) {
      seen.add(at)
      if (isFolded(at)) around.push(at)
    }
    if (around.length > 0) hidden.set(id, around)
  }
  if (![...loops.keys()].some(isFolded)) return { graph, hidden }
  return {
    graph: {
      nodes: graph.nodes
        .filter(({ id }) => !hidden.has(id))
        .map((node) => (isFolded(node.id) ? { ...node, kind: 'step' as const } : node)),
      edges: graph.edges.filter(({ source, target }) => !hidden.has(source) && !hidden.has(target)),
    },
    hidden,
  }
}
