import type { UnreachableGroup } from '../compile/compiled-graph.ts'

/** Names the nodes that can never run and why; null if every node can. */
export function unreachableError(groups: readonly UnreachableGroup[]): string | null {
  const named = groups
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ nodes, reason }) => `${nodes.map(({ id }) => id).join(', ')} (${reason})`)
  return named.length === 0 ? null : `Nodes never became reachable: ${named.join('; ')}`
}
