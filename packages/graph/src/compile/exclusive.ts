import { flowHandles } from './always-with.ts'
import { isAncestor } from './ancestors.ts'
import type { FlowEdge, FlowNode } from './compiled-graph.ts'
import { type Effort, spend } from './effort.ts'

/** Everything that the edges lead to, without passing through `avoided`. */
function reached(edges: readonly FlowEdge[], avoided: FlowNode | null, effort: Effort): Set<FlowNode> {
  const found = new Set(edges.map(({ target }) => target).filter((node) => node !== avoided))
  for (const node of found) {
    if (!spend(effort, node)) break
    for (const { target } of node.out) if (target !== avoided) found.add(target)
  }
  return found
}

/** Whether every way from the beginning of the level to the nodes goes through one. */
function dominates(node: FlowNode, others: readonly FlowNode[], effort: Effort): boolean {
  const { nodes, entries } = node.level
  const starts = nodes.filter(
    (start) => start !== node && (start.role === 'trigger' || entries.has(start.slot)),
  )
  const first = starts.flatMap(({ out }) => out)
  const around = reached(first, node, effort)
  return others.every((other) => !around.has(other) && !starts.includes(other))
}

/**
 * Whether two nodes of a level lie behind different handles of one choice, so that at most one of them runs. True also
 * when the effort is used up.
 */
export function areExclusive(a: FlowNode, b: FlowNode, effort: Effort): boolean {
  for (const choice of a.level.nodes) {
    if (!spend(effort, choice)) return true
    if (choice.handles.length < 2 || !isAncestor(choice, a) || !isAncestor(choice, b)) continue
    if (!dominates(choice, [a, b], effort)) continue
    const behindBoth = flowHandles(choice).some((handle) => {
      const behind = reached(
        choice.out.filter((edge) => edge.handle === handle),
        null,
        effort,
      )
      return behind.has(a) && behind.has(b)
    })
    if (!behindBoth) return true
  }
  return effort.left <= 0
}
