import { TRIGGER_TYPES, type TriggerType } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { hashOfParts, nodeHash, partHash, type WrittenDraft } from '@troupe/storage'
import { type Chunk, type PartsPatch, PartTexts } from './part-texts.ts'

const START = '{"nodes":['
const BETWEEN = '],"edges":['

/** The difference between two drafts. */
export interface DraftPatch {
  nodes: PartsPatch<GraphNode>
  edges: PartsPatch<GraphEdge>
  expose: 'mcp' | null
}

/** A draft as stored JSON, of which a save only reads and writes the changed parts. Immutable. */
export class DraftTexts {
  readonly nodes: PartTexts<GraphNode>
  readonly edges: PartTexts<GraphEdge>
  readonly expose: 'mcp' | null
  /** The types of its trigger nodes by their keys. */
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

  /** @param graph as stored */
  static of(graph: Graph): DraftTexts {
    const nodes = PartTexts.of(graph.nodes, nodeHash)
    const triggers = new Map<string, TriggerType>()
    for (const [at, key] of nodes.keys().entries()) {
      const type = triggerOf(graph.nodes[at])
      if (type !== null) triggers.set(key, type)
    }
    return new DraftTexts(
      nodes,
      PartTexts.of(graph.edges, (_, json) => partHash(json)),
      graph.expose ?? null,
      triggers,
    )
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
    // One join: each pass over megabytes costs a millisecond.
    return [START, ...this.nodes.pieces(), BETWEEN, ...this.edges.pieces(), this.#end].join('')
  }

  /** This draft as complete JSON. */
  written(): WrittenDraft {
    return { hash: this.hash(), json: this.asJson() }
  }

  /** This draft as its differences from the stored JSON of another one. */
  writtenOver(stored: DraftTexts): WrittenDraft {
    const pieces: Piece[] = [[0, START.length, '']]
    const edgesStart = START.length + stored.nodes.bytes + BETWEEN.length
    addChunks(pieces, this.nodes.chunks, placesOf(stored.nodes.chunks, START.length))
    keep(pieces, START.length + stored.nodes.bytes, BETWEEN.length)
    addChunks(pieces, this.edges.chunks, placesOf(stored.edges.chunks, edgesStart))
    if (this.expose === stored.expose) keep(pieces, edgesStart + stored.edges.bytes, this.#end.length)
    else write(pieces, this.#end)
    return { hash: this.hash(), formerBytes: stored.bytes, pieces }
  }

  /** The hash of the graph, as whole saves write it. */
  hash(): string {
    return hashOfParts({ nodes: this.nodes.hashes(), edges: this.edges.hashes(), expose: this.expose })
  }

  get #end(): string {
    return this.expose === null ? ']}' : `],"expose":${JSON.stringify(this.expose)}}`
  }

  graph(): Graph {
    return JSON.parse(this.asJson())
  }

  /** Length of `asJson()` in UTF-8 bytes. */
  get bytes(): number {
    return START.length + this.nodes.bytes + BETWEEN.length + this.edges.bytes + this.#end.length
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

/** Bytes of the stored JSON, and a text after them. */
type Piece = [fromByte: number, bytes: number, text: string]

/** Extends the last piece if these bytes directly follow it. */
function keep(pieces: Piece[], fromByte: number, bytes: number): void {
  const last = pieces.at(-1)
  if (last && last[2] === '' && last[0] + last[1] === fromByte) last[1] += bytes
  else pieces.push([fromByte, bytes, ''])
}

function write(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (last) last[2] += text
}

/** The first byte of each chunk in a list that begins at `start`. */
function placesOf(chunks: readonly Chunk[], start: number): Map<Chunk, number> {
  let at = start
  return new Map(
    chunks.map((chunk) => {
      const place = at
      at += chunk.bytes + 1
      return [chunk, place]
    }),
  )
}

/** The chunks of a list with the commas between them. Unchanged chunks become byte ranges of the stored JSON. */
function addChunks(pieces: Piece[], chunks: readonly Chunk[], stored: ReadonlyMap<Chunk, number>): void {
  const first = stored.values().next().value
  for (const [place, chunk] of chunks.entries()) {
    const at = stored.get(chunk)
    if (at === undefined) write(pieces, place === 0 ? chunk.text : `,${chunk.text}`)
    else if (place === 0) keep(pieces, at, chunk.bytes)
    // Every chunk but the first has a comma before it.
    else if (at !== first) keep(pieces, at - 1, chunk.bytes + 1)
    else {
      write(pieces, ',')
      keep(pieces, at, chunk.bytes)
    }
  }
}

function triggerOf(node: GraphNode | undefined): TriggerType | null {
  return TRIGGER_TYPES.find((trigger) => trigger === node?.type) ?? null
}
