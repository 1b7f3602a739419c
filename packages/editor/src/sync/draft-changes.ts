import type { GraphEdge, GraphNode } from '@troupe/graph'
import { partKey } from '../document/patch.ts'
import type { Transaction } from '../document/transaction.ts'
import type { SentSave } from './sync-state.ts'

/** One change of a draft in the format of the API. */
export type DraftChange =
  | { put: { node: GraphNode; before?: string; formerId?: string } }
  | { put: { edge: GraphEdge; before?: string } }
  | { remove: { nodeId: string } }
  | { remove: { edgeId: string } }
  | { expose: 'mcp' | null }

/** The changes of a save. A new part names its successor at the time of the save. */
export function changesOf({ patches, places }: Pick<SentSave, 'patches' | 'places'>): DraftChange[] {
  const nextOf = new Map(places.map((place) => [partKey(place), place.next]))
  return patches.map((patch): DraftChange => {
    if (patch.kind === 'expose') return { expose: patch.after }
    if (patch.after === null) {
      return patch.kind === 'node' ? { remove: { nodeId: patch.id } } : { remove: { edgeId: patch.id } }
    }
    const next = nextOf.get(partKey(patch)) ?? null
    const place = next === null ? {} : { before: next }
    if (patch.kind === 'edge') return { put: { edge: patch.after, ...place } }
    const { otherId } = patch
    const former = otherId === undefined || otherId === patch.id ? {} : { formerId: otherId }
    return { put: { node: patch.after, ...place, ...former } }
  })
}

/** Applies the changes of one save as the server did. */
export function takeChanges(tx: Transaction, changes: readonly DraftChange[]): void {
  const nodes = new NewParts<GraphNode>((node, next) => tx.putNode(node, next))
  const edges = new NewParts<GraphEdge>((edge, next) => tx.putEdge(edge, next))
  for (const change of changes) {
    if ('expose' in change) tx.setExpose(change.expose)
    else if ('remove' in change) {
      if ('nodeId' in change.remove) {
        tx.removeNode(change.remove.nodeId)
        nodes.forget(change.remove.nodeId)
      } else {
        tx.removeEdge(change.remove.edgeId)
        edges.forget(change.remove.edgeId)
      }
    } else if ('node' in change.put) {
      const { node, before } = change.put
      if (tx.node(node.id) === null) nodes.add(node, before)
      else tx.putNode(node)
    } else {
      const { edge, before } = change.put
      if (tx.edge(edge.id) === null) edges.add(edge, before)
      else tx.putEdge(edge)
    }
  }
  nodes.put()
  edges.put()
}

/** New parts of one save, inserted when all are known: each may precede one that is listed later. */
class NewParts<T extends { id: string }> {
  readonly #parts = new Map<string, { part: T; before: string | null }>()
  readonly #put: (part: T, next: string | null) => void

  constructor(put: (part: T, next: string | null) => void) {
    this.#put = put
  }

  add(part: T, before: string | undefined): void {
    const known = this.#parts.get(part.id)
    this.#parts.set(part.id, { part, before: known ? known.before : (before ?? null) })
  }

  forget(id: string): void {
    this.#parts.delete(id)
  }

  put(): void {
    const done = new Set<string>()
    for (const id of this.#parts.keys()) {
      const chain: string[] = []
      const inChain = new Set<string>()
      for (let at: string | null = id; at !== null && this.#parts.has(at) && !done.has(at); ) {
        if (inChain.has(at)) break
        inChain.add(at)
        chain.push(at)
        at = this.#parts.get(at)?.before ?? null
      }
      for (const one of chain.reverse()) {
        const found = this.#parts.get(one)
        if (found) this.#put(found.part, found.before)
        done.add(one)
      }
    }
  }
}
