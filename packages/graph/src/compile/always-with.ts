import type { FlowNode } from './compiled-graph.ts'
import { type Effort, spend } from './effort.ts'

/** The handles of a node whose edges stay on its level. */
export function flowHandles(node: FlowNode): readonly string[] {
  return node.role === 'loop' ? node.handles.filter((handle) => handle !== 'body') : node.handles
}

/**
 * Whether `candidate` certainly runs in every frame in which `other`, of the same level, runs. Computes the smallest
 * set that contains: the candidate; nodes that reach a member through each of their handles; nodes whose predecessors
 * are all members; and, once one entry of a body is a member, entries whose other predecessors are all members. Misses
 * some cases where one branch depends on another, but has no false positives unless the effort is used up.
 */
export function runsWith(candidate: FlowNode, other: FlowNode, effort: Effort): boolean {
  const { entries, nodes } = candidate.level
  const members = new Set([candidate])
  let hasEntry = false

  const leadsHere = (node: FlowNode) => {
    if (members.has(node)) return false
    const open = new Set(flowHandles(node))
    if (open.size === 0) return false
    for (const { handle, target } of node.out) if (members.has(target)) open.delete(handle)
    return open.size === 0
  }
  const comesFromHere = (node: FlowNode) => {
    const isEntry = entries.has(node.slot)
    if (members.has(node) || (isEntry ? !hasEntry : node.incoming.length === 0)) return false
    return node.incoming.every(({ source }) => members.has(source))
  }

  for (const node of members) {
    if (node === other) return true
    for (const { source } of node.incoming) {
      if (!spend(effort, source)) return true
      if (leadsHere(source)) members.add(source)
    }
    for (const { target } of node.out) {
      if (!spend(effort, target)) return true
      if (comesFromHere(target)) members.add(target)
    }
    if (hasEntry || !entries.has(node.slot)) continue
    hasEntry = true
    for (const slot of entries) {
      const entry = nodes[slot]
      if (entry && comesFromHere(entry)) members.add(entry)
    }
  }
  return false
}
