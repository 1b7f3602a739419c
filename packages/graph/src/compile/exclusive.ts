import { flowHandles } from './always-with.ts'
import { isAncestor } from './ancestors.ts'
import type { FlowEdge, FlowNode, Level } from './compiled-graph.ts'
import { type Effort, spend } from './effort.ts'
import { NodeSet } from './node-set.ts'

/** The start nodes of a level; cached, because every pair of nodes needs them. */
const beginnings = new WeakMap<Level, readonly FlowNode[]>()

function beginningsOf(level: Level): readonly FlowNode[] {
  const known = beginnings.get(level)
  if (known) return known
  const found = level.nodes.filter((node) => node.role === 'trigger' || level.entries.has(node.slot))
  beginnings.set(level, found)
  return found
}

/** Adds all targets of the edges except `avoided`. */
function reach(found: NodeSet, edges: readonly FlowEdge[], avoided: FlowNode | null): void {
  for (const { target } of edges) if (target !== avoided) found.add(target)
}

/** Extends the reached set transitively, until the effort is used up. */
function follow(found: NodeSet, avoided: FlowNode | null, effort: Effort): void {
  for (const node of found) {
    if (!spend(effort, node)) break
    reach(found, node.out, avoided)
  }
}

/** Whether every path from the start nodes of the level to the nodes passes through one node. */
function dominates(node: FlowNode, others: readonly FlowNode[], effort: Effort): boolean {
  const around = new NodeSet(node.level)
  const starts = beginningsOf(node.level).filter((start) => start !== node)
  for (const start of starts) {
    if (!spend(effort, start)) break
    reach(around, start.out, node)
  }
  follow(around, node, effort)
  return others.every((other) => !around.has(other) && !starts.includes(other))
}

/**
 * Whether two nodes of a level are behind different handles of one branching node, so that at most one of them runs.
 * Also true when the effort is used up.
 */
export function areExclusive(a: FlowNode, b: FlowNode, effort: Effort): boolean {
  for (const choice of a.level.nodes) {
    if (!spend(effort, choice)) return true
    if (choice.handles.length < 2 || !isAncestor(choice, a) || !isAncestor(choice, b)) continue
    if (!dominates(choice, [a, b], effort)) continue
    const behindBoth = flowHandles(choice).some((handle) => {
      const behind = new NodeSet(choice.level)
      const edges = choice.out.filter((edge) => edge.handle === handle)
      reach(behind, edges, null)
      follow(behind, null, effort)
      return behind.has(a) && behind.has(b)
    })
    if (!behindBoth) return true
  }
  return effort.left <= 0
}
