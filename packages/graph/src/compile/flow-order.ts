import type { GraphEdge, GraphNode } from '../model/graph.ts'

/**
 * The nodes of one level in topological order, except for cycles. A branch is followed to its end before the next one;
 * branches are ordered by the ids of their first nodes. Nodes reachable only from a cycle come last, by id. Positions
 * on the canvas and the order of a graph's lists do not matter, so that moving a step never changes the order of a run.
 *
 * @param outgoing The sound edges by source; those to other levels are ignored.
 */
export function inFlowOrder(
  nodes: readonly GraphNode[],
  outgoing: ReadonlyMap<string, readonly GraphEdge[]>,
): GraphNode[] {
  const own = new Map(nodes.map((node) => [node.id, node]))
  const behind = (id: string) =>
    [...new Set((outgoing.get(id) ?? []).map(({ target }) => target))].filter((target) => own.has(target))
  const entered = new Set(nodes.flatMap(({ id }) => behind(id)))
  const last = [...own.keys()].sort(descending)
  const seen = new Set<string>()
  const found: GraphNode[] = []
  // A depth-first search with its own stack: a chain may have as many nodes as a graph.
  const follow = (start: string) => {
    const stack: { node: GraphNode | undefined; left: string[] }[] = [{ node: undefined, left: [start] }]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.left.pop()
      if (next === undefined) {
        stack.pop()
        if (top.node) found.push(top.node)
      } else if (!seen.has(next)) {
        seen.add(next)
        stack.push({ node: own.get(next), left: behind(next).sort(ascending) })
      }
    }
  }
  for (const id of last) if (!entered.has(id)) follow(id)
  const rest = nodes.filter(({ id }) => !seen.has(id)).sort((a, b) => ascending(a.id, b.id))
  return [...found.reverse(), ...rest]
}

function ascending(a: string, b: string): number {
  return a < b ? -1 : 1
}

function descending(a: string, b: string): number {
  return ascending(b, a)
}
