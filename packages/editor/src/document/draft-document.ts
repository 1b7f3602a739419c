import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { OrderedParts } from './ordered-parts.ts'
import type { Patch } from './patch.ts'

/** A draft as seen by commands. */
export interface DraftReader {
  node(id: string): GraphNode | null
  edge(id: string): GraphEdge | null
  /** In the order of the draft, like the lists below. */
  nodes(): readonly GraphNode[]
  edges(): readonly GraphEdge[]
  /** The steps of the root (null) or of the body of a Loop. */
  childrenOf(parentId: string | null): GraphNode[]
  edgesFrom(nodeId: string): GraphEdge[]
  edgesTo(nodeId: string): GraphEdge[]
  /** Ids of the nodes with a name. */
  named(name: string): readonly string[]
  readonly expose: 'mcp' | null
}

/**
 * A workflow draft during editing: maps and indexes over its nodes and edges, so that the cost of a change is proportional to its size. It
 * is only changed by {@link DraftDocument.apply}; the parts themselves are immutable.
 */
export class DraftDocument implements DraftReader {
  readonly #nodes: OrderedParts<GraphNode>
  readonly #edges: OrderedParts<GraphEdge>
  readonly #children = new IdIndex<string | null>()
  readonly #outgoing = new IdIndex<string>()
  readonly #incoming = new IdIndex<string>()
  readonly #names = new IdIndex<string>()
  #expose: 'mcp' | null
  #graph: Graph | null = null

  constructor({ nodes, edges, expose }: Graph) {
    this.#nodes = new OrderedParts(nodes)
    this.#edges = new OrderedParts(edges)
    this.#expose = expose ?? null
    for (const { id } of nodes) this.#indexNode(this.#nodes.get(id), 'add')
    for (const { id } of edges) this.#indexEdge(this.#edges.get(id), 'add')
  }

  get expose(): 'mcp' | null {
    return this.#expose
  }

  node(id: string): GraphNode | null {
    return this.#nodes.get(id)
  }

  edge(id: string): GraphEdge | null {
    return this.#edges.get(id)
  }

  nodes(): readonly GraphNode[] {
    return this.graph().nodes
  }

  edges(): readonly GraphEdge[] {
    return this.graph().edges
  }

  childrenOf(parentId: string | null): GraphNode[] {
    return this.#nodes.among(this.#children.of(parentId))
  }

  edgesFrom(nodeId: string): GraphEdge[] {
    return this.#edges.among(this.#outgoing.of(nodeId))
  }

  edgesTo(nodeId: string): GraphEdge[] {
    return this.#edges.among(this.#incoming.of(nodeId))
  }

  named(name: string): readonly string[] {
    return this.#nodes.among(this.#names.of(name)).map(({ id }) => id)
  }

  isRepeated(kind: 'node' | 'edge', id: string): boolean {
    return (kind === 'node' ? this.#nodes : this.#edges).isRepeated(id)
  }

  /** The id of the part after this one in the order of the draft; null for the last one. */
  nextOf(kind: 'node' | 'edge', id: string): string | null {
    return (kind === 'node' ? this.#nodes : this.#edges).nextOf(id)
  }

  /** The draft in its stored form. The same object until the next change. */
  graph(): Graph {
    this.#graph ??= {
      nodes: this.#nodes.list(),
      edges: this.#edges.list(),
      ...(this.#expose === null ? {} : { expose: this.#expose }),
    }
    return this.#graph
  }

  apply(patch: Patch): void {
    this.#graph = null
    switch (patch.kind) {
      case 'node':
        this.#indexNode(this.#nodes.get(patch.id), 'remove')
        if (patch.after === null) this.#nodes.remove(patch.id)
        else this.#nodes.put(patch.after, patch.next)
        this.#indexNode(patch.after, 'add')
        break
      case 'edge':
        this.#indexEdge(this.#edges.get(patch.id), 'remove')
        if (patch.after === null) this.#edges.remove(patch.id)
        else this.#edges.put(patch.after, patch.next)
        this.#indexEdge(patch.after, 'add')
        break
      case 'expose':
        this.#expose = patch.after
        break
      default:
        patch satisfies never
    }
  }

  #indexNode(node: GraphNode | null, change: 'add' | 'remove'): void {
    if (node === null) return
    this.#children[change](node.parentId, node.id)
    this.#names[change](node.name, node.id)
  }

  #indexEdge(edge: GraphEdge | null, change: 'add' | 'remove'): void {
    if (edge === null) return
    this.#outgoing[change](edge.source, edge.id)
    this.#incoming[change](edge.target, edge.id)
  }
}

/** Ids by a key, in an order that depends on past changes. */
class IdIndex<Key> {
  readonly #ids = new Map<Key, Set<string>>()

  of(key: Key): Iterable<string> {
    return this.#ids.get(key) ?? []
  }

  add(key: Key, id: string): void {
    const ids = this.#ids.get(key)
    if (ids) ids.add(id)
    else this.#ids.set(key, new Set([id]))
  }

  remove(key: Key, id: string): void {
    const ids = this.#ids.get(key)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(key)
  }
}
