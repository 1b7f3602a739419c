import type { OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { type CompiledGraph, compileGraph, type NodeTypes, parseGraph } from '@troupe/graph'
import { LRUCache } from 'lru-cache'
import { keptBytes } from '../catalog/kept-bytes.ts'

const MAX_GRAPHS = 500
/**
 * Maximum bytes of all graphs as JSON; a compiled graph takes about as much again. The largest graph has 4 MB of JSON.
 */
const MAX_BYTES = 64 * 1024 * 1024
const KEPT_MS = 60 * 60_000

/** Tested drafts are many and short-lived: they must not evict published versions. */
const MAX_DRAFTS = 20
const MAX_DRAFT_BYTES = 8 * 1024 * 1024

/** A stored graph. */
export interface StoredGraph {
  graph: unknown
  /** Whether it is a tested draft. */
  isDraft: boolean
}

type Compiled = CompiledGraph | null

const cacheOf = (max: number, maxSize: number) =>
  new LRUCache<string, Promise<Compiled>>({ max, maxSize, ttl: KEPT_MS })

/** The graphs of versions, compiled once: a version never changes. */
export class WorkflowGraphs {
  readonly #published = cacheOf(MAX_GRAPHS, MAX_BYTES)
  readonly #drafts = cacheOf(MAX_DRAFTS, MAX_DRAFT_BYTES)
  /** Reads in progress. Failures and misses are not kept. */
  readonly #reading = new Map<string, Promise<Compiled>>()
  readonly #read: (
    organizationId: OrganizationId,
    versionId: WorkflowVersionId,
  ) => Promise<StoredGraph | null>
  readonly #types: NodeTypes

  constructor(
    read: (organizationId: OrganizationId, versionId: WorkflowVersionId) => Promise<StoredGraph | null>,
    types: NodeTypes,
  ) {
    this.#read = read
    this.#types = types
  }

  /** The graph of a version of this organization; null if there is none. */
  compiled(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<Compiled> {
    const key = `${organizationId} ${versionId}`
    const known = this.#published.get(key) ?? this.#drafts.get(key) ?? this.#reading.get(key)
    if (known) return known
    const reading = this.#compile(key, organizationId, versionId).finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #compile(
    key: string,
    organizationId: OrganizationId,
    versionId: WorkflowVersionId,
  ): Promise<Compiled> {
    const stored = await this.#read(organizationId, versionId)
    const parsed = parseGraph(stored?.graph)
    if (!stored || !parsed.ok) return null
    const compiled = compileGraph(parsed.value, this.#types)
    const kept = stored.isDraft ? this.#drafts : this.#published
    kept.set(key, Promise.resolve(compiled), { size: keptBytes(stored.graph) })
    return compiled
  }

  /** Whether an HTTP Request trigger of the version deduplicates deliveries. */
  async rejectsDuplicates(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<boolean> {
    const graph = await this.compiled(organizationId, versionId)
    return [...(graph?.nodes.values() ?? [])].some(
      ({ type, config }) => type === 'http-request' && config.rejectDuplicates === true,
    )
  }
}
