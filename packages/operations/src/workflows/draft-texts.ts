import { TRIGGER_TYPES, type TriggerType } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { type PartsPatch, PartTexts } from './part-texts.ts'

/** The difference between two drafts. */
export interface DraftPatch {
  nodes: PartsPatch<GraphNode>
  edges: PartsPatch<GraphEdge>
  expose: 'mcp' | null
}

/** A draft as stored JSON, of which a save reads and writes only the changed parts. Immutable. */
export class DraftTexts {
  readonly nodes: PartTexts<GraphNode>
  readonly edges: PartTexts<GraphEdge>
  readonly expose: 'mcp' | null
  /** The types of its trigger nodes by their key. */
  readonly #triggers: ReadonlyMap<string, TriggerType>

  private constructor(
    nodes: PartTexts<GraphNode>,
    edges: PartTexts<GraphEdge>,
    expose: 'mcp' | null,
    triggers: ReadonlyMap<string, TriggerType>,
  ) {
    this.nodes = nodes
    this.edges = edges
    this.expose = expose
    this.#triggers = triggers
  }

  /** @param graph as it is stored */
  static of(graph: Graph): DraftTexts {
    const nodes = PartTexts.of(graph.nodes)
    const triggers = new Map<string, TriggerType>()
    for (const [at, key] of nodes.keys().entries()) {
      const type = triggerOf(graph.nodes[at])
      if (type !== null) triggers.set(key, type)
    }
    return new DraftTexts(nodes, PartTexts.of(graph.edges), graph.expose ?? null, triggers)
  }

  patched({ nodes, edges, expose }: DraftPatch): DraftTexts {
    const next = this.nodes.patched(nodes)
    const triggers = new Map(this.#triggers)
    for (const [key, node] of nodes.changed) {
      const type = triggerOf(node)
      if (type === null) triggers.delete(key)
      else triggers.set(key, type)
    }
    return new DraftTexts(next, this.edges.patched(edges), expose, triggers)
  }

  /** The same text as `JSON.stringify` of the graph. */
  asJson(): string {
    const exposed = this.expose === null ? '' : `,"expose":${JSON.stringify(this.expose)}`
    // One join: each pass over megabytes costs a millisecond.
    return ['{"nodes":[', ...this.nodes.pieces(), '],"edges":[', ...this.edges.pieces(), `]${exposed}}`].join(
      '',
    )
  }

  graph(): Graph {
    return JSON.parse(this.asJson())
  }

  /** Of `asJson()` in UTF-8. */
  get bytes(): number {
    const around = '{"nodes":[],"edges":[]}'.length + (this.expose === null ? 0 : ',"expose":"mcp"'.length)
    return around + this.nodes.bytes + this.edges.bytes
  }

  /** Approximate bytes in memory. */
  get memory(): number {
    return this.nodes.memory + this.edges.memory
  }

  /** The types of its trigger nodes, in their order. */
  triggers(): TriggerType[] {
    return this.nodes.keys().flatMap((key) => this.#triggers.get(key) ?? [])
  }
}

function triggerOf(node: GraphNode | undefined): TriggerType | null {
  return TRIGGER_TYPES.find((trigger) => trigger === node?.type) ?? null
}
