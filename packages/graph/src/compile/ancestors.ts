import type { FlowNode } from './compiled-graph.ts'

/** One bit per slot of the level. Kept while the compiled graph lives. */
const cache = new WeakMap<FlowNode, Uint32Array>()

function ancestorsOf(node: FlowNode): Uint32Array {
  const known = cache.get(node)
  if (known) return known
  const found = new Uint32Array((node.level.nodes.length + 31) >> 5)
  const stack = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    for (const { source } of next.incoming) {
      const word = source.slot >> 5
      const bit = 1 << (source.slot & 31)
      const bits = found[word] ?? 0
      if (bits & bit) continue
      found[word] = bits | bit
      const further = cache.get(source)
      if (!further) stack.push(source)
      else for (const [at, more] of further.entries()) found[at] = (found[at] ?? 0) | more
    }
  }
  cache.set(node, found)
  return found
}

/** Whether a path of edges leads from one node to another of the same level. */
export function isAncestor(candidate: FlowNode, node: FlowNode): boolean {
  if (candidate.level !== node.level) return false
  return (((ancestorsOf(node)[candidate.slot >> 5] ?? 0) >> (candidate.slot & 31)) & 1) === 1
}

/** Where a node stands, seen from another: itself or the Loop around it that is on the given node's level or above. */
export function standpoint(candidate: FlowNode, node: FlowNode): FlowNode | null {
  for (let at: FlowNode | null = node; at; at = at.level.loop) if (at.level === candidate.level) return at
  return null
}
