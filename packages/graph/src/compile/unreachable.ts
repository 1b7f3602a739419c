import type { FlowNode, Level, UnreachableGroup } from './compiled-graph.ts'
import { findCycle } from './find-cycle.ts'

/** Kahn's algorithm: the remainder after removing every node whose predecessors are all removed. */
function leftOver(level: Level): Set<FlowNode> {
  const missing = level.nodes.map((node) => node.incoming.length)
  const starts = (node: FlowNode) =>
    level.loop === null ? node.role === 'trigger' : node.incoming.length === 0 && level.entries.has(node.slot)
  const removed = level.nodes.filter(starts)
  const left = new Set(level.nodes)
  for (const node of removed) left.delete(node)
  for (const node of removed) {
    for (const { target } of node.out) {
      missing[target.slot] = (missing[target.slot] ?? 0) - 1
      if (missing[target.slot] !== 0 || !left.delete(target)) continue
      removed.push(target)
    }
  }
  return left
}

/** The given nodes and all their successors in `left`, nearest first. */
function behind(causes: readonly FlowNode[], left: ReadonlySet<FlowNode>): FlowNode[] {
  const found = new Set(causes)
  for (const node of found) for (const { target } of node.out) if (left.has(target)) found.add(target)
  return [...found]
}

/**
 * The nodes of a level that can never be reached: those behind a node without input, then those in and behind a cycle.
 * Each node is reported once.
 */
export function unreachableNodes(level: Level): UnreachableGroup[] {
  const left = leftOver(level)
  if (left.size === 0) return []
  const groups: UnreachableGroup[] = []
  const orphans = behind(
    [...left].filter((node) => node.incoming.length === 0),
    left,
  )
  if (orphans.length > 0) {
    const from = level.loop === null ? 'a trigger' : `the body of ${level.loop.id}`
    groups.push({ nodes: orphans, reason: `no path from ${from}` })
    for (const node of orphans) left.delete(node)
  }
  while (left.size > 0) {
    const cycle = findCycle(left)
    const nodes = cycle.length === 0 ? [...left] : behind(cycle, left)
    const [first] = cycle
    const names = [...cycle, ...(first ? [first] : [])].map((node) => node.id)
    groups.push({ nodes, reason: `cycle: ${names.join(' -> ')}` })
    for (const node of nodes) left.delete(node)
  }
  return groups
}
