import type { GraphEdge, GraphNode } from '@troupe/graph'
import { isSameJson } from '../values/json-path.ts'
import type { DraftDocument, DraftReader } from './draft-document.ts'
import { coalesce, inverse, isSamePart, type Patch } from './patch.ts'

/** The reason for a refused command. */
export type Refusal =
  | 'unknown_step'
  | 'unknown_edge'
  | 'unknown_handle'
  | 'unknown_type'
  | 'no_way_in'
  | 'other_level'
  | 'makes_a_cycle'
  | 'not_together'
  | 'is_trigger'
  | 'trigger_runs'
  | 'not_a_loop'
  | 'id_taken'
  | 'invalid_id'
  | 'nothing_to_paste'
  | 'too_many_steps'
  | 'nothing_to_move'
  | 'repeated_id'

/** Ends a command that does not fit the draft; the draft is unchanged. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(reason)
    this.reason = reason
  }
}

/** The result of a command. */
export type Outcome<Result> = { ok: true; result: Result; patches: Patch[] } | { ok: false; reason: Refusal }

/**
 * Runs a command on a document. Its changes are applied at once, and rolled back if it refuses.
 *
 * @returns the fewest patches for the change; empty when nothing changed
 */
export function transact<Result>(
  document: DraftDocument,
  command: (tx: Transaction) => Result,
): Outcome<Result> {
  try {
    return { ok: true, ...revise(document, command) }
  } catch (error) {
    if (error instanceof CommandRefused) return { ok: false, reason: error.reason }
    throw error
  }
}

/** Applies changes that are never refused, such as those of a merge. A change that throws is rolled back. */
export function revise<Result>(
  document: DraftDocument,
  change: (tx: Transaction) => Result,
): { result: Result; patches: Patch[] } {
  const tx = new Transaction(document)
  try {
    const result = change(tx)
    return { result, patches: coalesce(tx.patches) }
  } catch (error) {
    for (const patch of inverse(tx.patches)) document.apply(patch)
    throw error
  }
}

/** Reads and changes a document, and records the changes. */
export class Transaction implements DraftReader {
  readonly patches: Patch[] = []
  readonly #document: DraftDocument

  constructor(document: DraftDocument) {
    this.#document = document
  }

  get expose(): 'mcp' | null {
    return this.#document.expose
  }

  node(id: string): GraphNode | null {
    return this.#document.node(id)
  }

  edge(id: string): GraphEdge | null {
    return this.#document.edge(id)
  }

  nodes(): readonly GraphNode[] {
    return this.#document.nodes()
  }

  edges(): readonly GraphEdge[] {
    return this.#document.edges()
  }

  childrenOf(parentId: string | null): GraphNode[] {
    return this.#document.childrenOf(parentId)
  }

  edgesFrom(nodeId: string): GraphEdge[] {
    return this.#document.edgesFrom(nodeId)
  }

  edgesTo(nodeId: string): GraphEdge[] {
    return this.#document.edgesTo(nodeId)
  }

  named(name: string): readonly string[] {
    return this.#document.named(name)
  }

  nextOf(kind: 'node' | 'edge', id: string): string | null {
    return this.#document.nextOf(kind, id)
  }

  isRepeated(kind: 'node' | 'edge', id: string): boolean {
    return this.#document.isRepeated(kind, id)
  }

  /** The node; refuses the command if it is absent. */
  requireNode(id: string): GraphNode {
    const node = this.node(id)
    if (node === null) throw new CommandRefused('unknown_step')
    return node
  }

  requireEdge(id: string): GraphEdge {
    const edge = this.edge(id)
    if (edge === null) throw new CommandRefused('unknown_edge')
    return edge
  }

  /**
   * @param next the id of the part before which a new node is inserted; null: at the end
   * @param otherId the previous id of a step whose id changes
   */
  putNode(node: GraphNode, next: string | null = null, otherId?: string): void {
    const before = this.node(node.id)
    if (before !== null && isSamePart(before, node)) return
    const change = { kind: 'node', id: node.id, before, after: node, next } as const
    this.#apply(otherId === undefined ? change : { ...change, otherId })
  }

  putEdge(edge: GraphEdge, next: string | null = null): void {
    const before = this.edge(edge.id)
    if (before !== null && isSameJson(before, edge)) return
    this.#apply({ kind: 'edge', id: edge.id, before, after: edge, next })
  }

  /** @param otherId the new id of a step whose id changes */
  removeNode(id: string, otherId?: string): void {
    const before = this.node(id)
    if (before === null) return
    const change = { kind: 'node', id, before, after: null, next: this.nextOf('node', id) } as const
    this.#apply(otherId === undefined ? change : { ...change, otherId })
  }

  removeEdge(id: string): void {
    const before = this.edge(id)
    if (before === null) return
    this.#apply({ kind: 'edge', id, before, after: null, next: this.nextOf('edge', id) })
  }

  setExpose(after: 'mcp' | null): void {
    if (this.expose !== after) this.#apply({ kind: 'expose', before: this.expose, after })
  }

  #apply(patch: Patch): void {
    this.#document.apply(patch)
    this.patches.push(patch)
  }
}
