import type { OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { type CompiledGraph, compileGraph, type NodeTypes, parseGraph } from '@troupe/graph'
import { LRUCache } from 'lru-cache'

/** Cached graphs; the largest is 4 MB of JSON. */
const MAX_GRAPHS = 500

/** The graphs of versions, compiled once: a version never changes. */
export class WorkflowGraphs {
  readonly #graphs = new LRUCache<string, Promise<CompiledGraph | null>>({ max: MAX_GRAPHS })
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
    const reading = this.#read(organizationId, versionId).then((stored) => {
      const parsed = parseGraph(stored)
      return parsed.ok ? compileGraph(parsed.value, this.#types) : null
    })
    this.#graphs.set(key, reading)
    // Failures and misses are not cached.
    reading.then(
      (graph) => graph ?? this.#graphs.delete(key),
      () => this.#graphs.delete(key),
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
