import type { Graph } from '@troupe/graph'
import type { Transaction } from '../document/transaction.ts'
import { longestRising } from './longest-rising.ts'

/**
 * Turns the draft into another one; used by the JSON view, a restored version and an import. The command consists only of the differences,
 * so it can be merged and undone like any other.
 */
export function replaceDraft(tx: Transaction, { nodes, edges, expose }: Graph): void {
  replaceParts(tx.edges(), edges, {
    isRepeated: (id) => tx.isRepeated('edge', id),
    put: (edge, next) => tx.putEdge(edge, next),
    remove: (id) => tx.removeEdge(id),
  })
  replaceParts(tx.nodes(), nodes, {
    isRepeated: (id) => tx.isRepeated('node', id),
    put: (node, next) => tx.putNode(node, next),
    remove: (id) => tx.removeNode(id),
  })
  tx.setExpose(expose ?? null)
}

interface PartChanges<T> {
  isRepeated(id: string): boolean
  put(part: T, next: string | null): void
  remove(id: string): void
}

function replaceParts<T extends { id: string }>(
  before: readonly T[],
  after: readonly T[],
  { isRepeated, put, remove }: PartChanges<T>,
): void {
  // If parts share an id, the first counts; no valid graph has repeated ids.
  const wanted = new Map<string, T>()
  for (const part of after) if (!wanted.has(part.id)) wanted.set(part.id, part)
  const places = new Map([...wanted.keys()].map((id, index) => [id, index]))
  const kept = [...new Set(before.map(({ id }) => id))].filter((id) => wanted.has(id) && !isRepeated(id))
  const still = new Set(
    longestRising(kept.map((id) => places.get(id) ?? 0)).map((index) => kept[index] ?? ''),
  )
  for (const { id } of before) if (!still.has(id)) remove(id)
  let next: string | null = null
  for (const part of [...wanted.values()].reverse()) {
    put(part, next)
    next = part.id
  }
}
