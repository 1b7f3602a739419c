import type { OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { type CompiledGraph, compileGraph, type NodeTypes, parseGraph } from '@troupe/graph'
import { LRUCache } from 'lru-cache'
import { keptBytes } from '../catalog/kept-bytes.ts'

const MAX_GRAPHS = 500
/** Of all graphs, as they were read: compiled, a graph takes about as much once more. The largest is 4 MB of JSON. */
const MAX_BYTES = 64 * 1024 * 1024
const KEPT_MS = 60 * 60_000
/** Until it is known. */
const UNKNOWN_BYTES = 1_000

/** The graphs of versions, compiled once: a version never changes. */
export class WorkflowGraphs {
  readonly #graphs = new LRUCache<string, Promise<CompiledGraph | null>>({
    max: MAX_GRAPHS,
    maxSize: MAX_BYTES,
    ttl: KEPT_MS,
  })
  readonly #read: (organizationId: OrganizationId, versionId: WorkflowVersionId) => Promise<unknown>
  readonly #types: NodeTypes

  constructor(
    read: (organizationId: OrganizationId, versionId: WorkflowVersionId) => Promise<unknown>,
    types: NodeTypes,
  ) {
    this.#read = read
    this.#types = types
  }

  /** The graph of a version of this organization; null when there is none. */
  compiled(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<CompiledGraph | null> {
    const key = `${organizationId} ${versionId}`
    const known = this.#graphs.get(key)
    if (known) return known
    let bytes = UNKNOWN_BYTES
    const reading = this.#read(organizationId, versionId).then((stored) => {
      bytes = keptBytes(stored)
      const parsed = parseGraph(stored)
      return parsed.ok ? compileGraph(parsed.value, this.#types) : null
    })
    this.#graphs.set(key, reading, { size: bytes })
    // Failures and misses are not cached.
    reading.then(
      (graph) => {
        if (this.#graphs.peek(key) !== reading) return
        // Deleted first: the library keeps the size of a value that is set again.
        this.#graphs.delete(key)
        if (graph !== null) this.#graphs.set(key, reading, { size: bytes })
      },
      () => this.#graphs.peek(key) === reading && this.#graphs.delete(key),
    )
    return reading
  }

  /** Whether an HTTP Request trigger of the version deduplicates deliveries. */
  async rejectsDuplicates(organizationId: OrganizationId, versionId: WorkflowVersionId): Promise<boolean> {
    const graph = await this.compiled(organizationId, versionId)
    return [...(graph?.nodes.values() ?? [])].some(
      ({ type, config }) => type === 'http-request' && config.rejectDuplicates === true,
    )
  }
}
