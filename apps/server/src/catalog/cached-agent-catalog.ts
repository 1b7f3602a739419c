import type { AgentId, OrganizationId } from '@troupe/contract'
import type { AgentRecord, LlmConfigurationRecord } from '@troupe/database'
import type { AgentCatalog, AgentSnapshot, Signals, UsableLlmConfiguration } from '@troupe/runtime/ports'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { toUsable } from './usable-llm-configuration.ts'

/** Milliseconds. A change whose signal is lost takes effect within this time. */
const LONGEST_AGE_MS = 5_000
const ORGANIZATIONS = 2_000
const AGENTS_PER_ORGANIZATION = 5_000

interface Cached<T> {
  value: Promise<T>
  loadedAt: number
}

/**
 * What is known of one organization. A change replaces the whole object: a read that is under way then ends in an
 * object that nobody asks any more, so that it can never bring back what was there before the change.
 */
interface Shelf {
  agents: LRUCache<AgentId, Cached<AgentSnapshot | null>>
  llmConfigurations: Cached<readonly UsableLlmConfiguration[]> | null
}

/** What the catalog reads. */
export interface CatalogSource {
  agent(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** Connected ones of the whole organization, oldest first. */
  llmConfigurations(organizationId: OrganizationId): Promise<LlmConfigurationRecord[]>
}

/** {@link AgentCatalog} that keeps agents and opened LLM configurations in memory. Concurrent misses share one read. */
export class CachedAgentCatalog implements AgentCatalog, Disposable {
  readonly #source: CatalogSource
  readonly #box: SecretBox
  readonly #clock: Clock
  readonly #onUnreadable: (llmConfigId: string, error: unknown) => void
  readonly #unsubscribe: () => void
  readonly #shelves = new LRUCache<OrganizationId, Shelf>({ max: ORGANIZATIONS })

  constructor(options: {
    source: CatalogSource
    box: SecretBox
    signals: Pick<Signals, 'subscribe'>
    clock: Clock
    /** Told about a configuration whose credentials no key opens; it is left out. */
    onUnreadable: (llmConfigId: string, error: unknown) => void
  }) {
    this.#source = options.source
    this.#box = options.box
    this.#clock = options.clock
    this.#onUnreadable = options.onUnreadable
    this.#unsubscribe = options.signals.subscribe((signal) => {
      if (signal.kind === 'config_changed') this.forget(signal.organizationId as OrganizationId)
    })
  }

  agent(organizationId: OrganizationId, agentId: AgentId): Promise<AgentSnapshot | null> {
    const { agents } = this.#shelf(organizationId)
    const cached = agents.get(agentId)
    if (this.#isFresh(cached)) return cached.value
    const value = this.#source
      .agent(organizationId, agentId)
      .then((record) => (record ? toSnapshot(record) : null))
    agents.set(agentId, { value, loadedAt: this.#clock.now() })
    value.then(
      // An unknown id is not kept: it may be created at any time, and a flood of them must not push out real ones.
      (snapshot) => snapshot ?? this.#drop(agents, agentId, value),
      () => this.#drop(agents, agentId, value),
    )
    return value
  }

  llmConfigurations(organizationId: OrganizationId): Promise<readonly UsableLlmConfiguration[]> {
    const shelf = this.#shelf(organizationId)
    if (this.#isFresh(shelf.llmConfigurations)) return shelf.llmConfigurations.value
    const value = this.#source.llmConfigurations(organizationId).then((records) => this.#open(records))
    const cached = { value, loadedAt: this.#clock.now() }
    shelf.llmConfigurations = cached
    value.catch(() => {
      if (shelf.llmConfigurations === cached) shelf.llmConfigurations = null
    })
    return value
  }

  /** Drops an organization at once: the next read of this process sees every committed change. */
  forget(organizationId: OrganizationId): void {
    this.#shelves.delete(organizationId)
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    this.#shelves.clear()
  }

  #shelf(organizationId: OrganizationId): Shelf {
    const known = this.#shelves.get(organizationId)
    if (known) return known
    const shelf: Shelf = { agents: new LRUCache({ max: AGENTS_PER_ORGANIZATION }), llmConfigurations: null }
    this.#shelves.set(organizationId, shelf)
    return shelf
  }

  #isFresh<T>(cached: Cached<T> | null | undefined): cached is Cached<T> {
    return cached != null && this.#clock.now() - cached.loadedAt < LONGEST_AGE_MS
  }

  #drop(agents: Shelf['agents'], agentId: AgentId, value: Promise<AgentSnapshot | null>): void {
    if (agents.peek(agentId)?.value === value) agents.delete(agentId)
  }

  #open(records: LlmConfigurationRecord[]): UsableLlmConfiguration[] {
    return records.flatMap((record) => {
      try {
        return [toUsable(record, this.#box)]
      } catch (error) {
        this.#onUnreadable(record.id, error)
        return []
      }
    })
  }
}

function toSnapshot(record: AgentRecord): AgentSnapshot {
  return {
    agentId: record.id,
    versionId: record.versionId,
    organizationId: record.organizationId,
    projectId: record.projectId,
    name: record.name,
    status: record.status,
    config: record.config,
  }
}
