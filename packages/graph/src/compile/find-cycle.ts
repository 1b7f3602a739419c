import type { FlowNode } from './compiled-graph.ts'

/**
 * Finds a cycle in a set in which every node has a predecessor, in edge direction, starting with its first node in
 * canvas order. Walking backwards from any node must revisit one, at the latest after all of them.
 */
export function findCycle(nodes: ReadonlySet<FlowNode>): FlowNode[] {
  const [start] = nodes
  const path: FlowNode[] = []
  const at = new Map<FlowNode, number>()
  for (let node: FlowNode | undefined = start; node; ) {
    const seen = at.get(node)
    if (seen !== undefined) {
      const cycle = path.slice(seen).reverse()
      const orders = cycle.map(({ order }) => order)
      const first = orders.indexOf(Math.min(...orders))
      return [...cycle.slice(first), ...cycle.slice(0, first)]
    }
    at.set(node, path.length)
    path.push(node)
    node = node.incoming.map(({ source }) => source).find((source) => nodes.has(source))
  }
  return []
}
