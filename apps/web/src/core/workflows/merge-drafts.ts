import type { Graph } from '@troupe/graph'

/**
 * Joins two changes of one draft: each node and edge that only one side changed is taken from that side.
 *
 * @returns null when both changed the same node or edge differently, or when an id repeats: joined by id, one of two would be lost
 */
export function mergeDrafts(base: Graph, mine: Graph, theirs: Graph): Graph | null {
  const nodes = mergeParts(base.nodes, mine.nodes, theirs.nodes)
  const edges = mergeParts(base.edges, mine.edges, theirs.edges)
  const expose = pick(base.expose, mine.expose, theirs.expose)
  if (nodes === null || edges === null || expose === CONFLICT) return null
  return { nodes, edges, ...(expose === undefined ? {} : { expose }) }
}

const CONFLICT = Symbol('both sides changed it')

function pick<T>(base: T, mine: T, theirs: T): T | typeof CONFLICT {
  const [before, own, other] = [base, mine, theirs].map((value) => JSON.stringify(value))
  if (own === other || other === before) return mine
  return own === before ? theirs : CONFLICT
}

/** In the order of `theirs`; what only `mine` has comes last. */
function mergeParts<T extends { id: string }>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
): T[] | null {
  const [before, own, other] = [byId(base), byId(mine), byId(theirs)]
  if (before.size < base.length || own.size < mine.length || other.size < theirs.length) return null
  const merged: T[] = []
  for (const id of new Set([...other.keys(), ...own.keys()])) {
    const picked = pick(before.get(id), own.get(id), other.get(id))
    if (picked === CONFLICT) return null
    if (picked) merged.push(picked)
  }
  return merged
}

function byId<T extends { id: string }>(parts: readonly T[]): ReadonlyMap<string, T> {
  return new Map(parts.map((part) => [part.id, part]))
}
