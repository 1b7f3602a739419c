import type { FlowNode } from './compiled-graph.ts'

/** One bit per slot of the level. Cached for the lifetime of the compiled graph. */
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

/** The node itself or the enclosing Loop that is on the candidate's level; null when there is none. */
export function standpoint(candidate: FlowNode, node: FlowNode): FlowNode | null {
  for (let at: FlowNode | null = node; at; at = at.level.loop) if (at.level === candidate.level) return at
  return null
}
