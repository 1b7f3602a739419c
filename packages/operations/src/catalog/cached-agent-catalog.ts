import type {
  AgentCatalog,
  AgentSnapshot,
  Clock,
  ModelBudget,
  TeamSnapshot,
  UsableLlmConfiguration,
} from '@troupe/agents/ports'
import type {
  AgentId,
  AgentVersionId,
  IdText,
  LlmConfigId,
  OrganizationId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { Signals } from '@troupe/durable-work'
import type { SecretBox } from '@troupe/secrets'
import type { AgentRecord, BudgetRecord, LlmConfigurationRecord, TeamRecord } from '@troupe/storage'
import { LRUCache } from 'lru-cache'
import { keptBytes } from './kept-bytes.ts'
import { agentSnapshot, teamSnapshot } from './snapshots.ts'
import { toUsable } from './usable-llm-configuration.ts'

/** Milliseconds. Upper bound on staleness when a change notification is lost. */
const LONGEST_AGE_MS = 5_000
const ORGANIZATIONS = 2_000
/** Maximum bytes for all organizations together, and per kind within one organization. */
const MAX_BYTES = 128 * 1024 * 1024
const SHARE_BYTES = 8 * 1024 * 1024
/** Milliseconds after which an unused entry is dropped, when its slot is next examined. */
const KEPT_MS = 60 * 60_000
/** Assumed size until it is known. */
const UNKNOWN_BYTES = 1_000
/** Per kind: agents, agent versions, teams, team versions. */
const SNAPSHOTS_PER_ORGANIZATION = 5_000

interface Cached<T> {
  value: Promise<T>
  loadedAt: number
  /** Approximate size in memory. */
  bytes: number
}

/** A cached value that exists once per organization. */
interface Single<T> {
  cached: Cached<T> | null
}

type Snapshots<Id extends string, T> = LRUCache<Id, Cached<T | null>>

/**
 * The cached entries of one organization. A change discards the object, so a read already in flight fills a
 * discarded shelf and cannot restore stale values.
 */
interface Shelf {
  agents: Snapshots<AgentId, AgentSnapshot>
  agentVersions: Snapshots<AgentVersionId, AgentSnapshot>
  teams: Snapshots<TeamId, TeamSnapshot>
  /**
   * Versions are immutable, so entries do not expire; they are removed when the organization changes or by LRU
   * eviction.
   */
  teamVersions: Snapshots<TeamVersionId, TeamSnapshot>
  llmConfigurations: Single<readonly UsableLlmConfiguration[]>
  modelBudgets: Single<readonly ModelBudget[]>
}

function snapshots<Id extends string, T>(): Snapshots<Id, T> {
  return new LRUCache({
    max: SNAPSHOTS_PER_ORGANIZATION,
    maxSize: SHARE_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
  })
}

function bytesOf({
  agents,
  agentVersions,
  teams,
  teamVersions,
  llmConfigurations,
  modelBudgets,
}: Shelf): number {
  const lists = [agents, agentVersions, teams, teamVersions].reduce((sum, one) => sum + one.calculatedSize, 0)
  return lists + (llmConfigurations.cached?.bytes ?? 0) + (modelBudgets.cached?.bytes ?? 0)
}

/** The database reads behind the catalog. */
export interface CatalogSource {
  agent(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** With the current status and project. */
  agentVersion(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentRecord | null>
  team(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
  teamVersion(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamRecord | null>
  /** All connected configurations of the organization, oldest first. */
  llmConfigurations(organizationId: OrganizationId): Promise<LlmConfigurationRecord[]>
  budgets(organizationId: OrganizationId): Promise<BudgetRecord[]>
}

/**
 * {@link AgentCatalog} that caches agents, teams and decrypted LLM configurations. Concurrent misses share
 * one read.
 */
export class CachedAgentCatalog implements AgentCatalog, Disposable {
  readonly #source: CatalogSource
  readonly #box: SecretBox
  readonly #clock: Pick<Clock, 'now'>
  readonly #onUnreadable: (llmConfigId: IdText<LlmConfigId>, error: unknown) => void
  readonly #unsubscribe: () => void
  readonly #shelves = new LRUCache<string, Shelf>({ max: ORGANIZATIONS })

  constructor(options: {
    source: CatalogSource
    box: SecretBox
    signals: Pick<Signals, 'subscribe'>
    clock: Pick<Clock, 'now'>
    /** Called for a configuration whose credentials no key decrypts; the configuration is skipped. */
    onUnreadable: (llmConfigId: IdText<LlmConfigId>, error: unknown) => void
  }) {
    this.#source = options.source
    this.#box = options.box
    this.#clock = options.clock
    this.#onUnreadable = options.onUnreadable
    this.#unsubscribe = options.signals.subscribe((signal) => {
      if (signal.kind === 'config_changed') this.forget(signal.organizationId)
    })
  }

  agent(organizationId: OrganizationId, agentId: AgentId): Promise<AgentSnapshot | null> {
    return this.#snapshot(this.#shelf(organizationId).agents, agentId, LONGEST_AGE_MS, async () => {
      const record = await this.#source.agent(organizationId, agentId)
      return record && agentSnapshot(record)
    })
  }

  agentVersion(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentSnapshot | null> {
    // The snapshot includes the agent's current status, so it expires like an agent.
    return this.#snapshot(this.#shelf(organizationId).agentVersions, versionId, LONGEST_AGE_MS, async () => {
      const record = await this.#source.agentVersion(organizationId, versionId)
      return record && agentSnapshot(record)
    })
  }

  team(organizationId: OrganizationId, teamId: TeamId): Promise<TeamSnapshot | null> {
    return this.#snapshot(this.#shelf(organizationId).teams, teamId, LONGEST_AGE_MS, async () => {
      const record = await this.#source.team(organizationId, teamId)
      return record && teamSnapshot(record)
    })
  }

  teamVersion(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamSnapshot | null> {
    return this.#snapshot(this.#shelf(organizationId).teamVersions, versionId, Infinity, async () => {
      const record = await this.#source.teamVersion(organizationId, versionId)
      return record && teamSnapshot(record)
    })
  }

  llmConfigurations(organizationId: OrganizationId): Promise<readonly UsableLlmConfiguration[]> {
    return this.#single(this.#shelf(organizationId).llmConfigurations, async () =>
      this.#open(await this.#source.llmConfigurations(organizationId)),
    )
  }

  modelBudgets(organizationId: OrganizationId): Promise<readonly ModelBudget[]> {
    return this.#single(this.#shelf(organizationId).modelBudgets, async () => {
      const budgets = await this.#source.budgets(organizationId)
      return budgets.flatMap(({ projectId, metric }) =>
        metric === 'llm_tokens' || metric === 'llm_cost_usd' ? [{ projectId, metric }] : [],
      )
    })
  }

  /** Evicts an organization, so this process's next read sees every committed change. */
  forget(organizationId: IdText<OrganizationId>): void {
    this.#shelves.delete(organizationId)
  }

  /** Approximate size of all entries in memory. */
  get bytes(): number {
    let sum = 0
    for (const shelf of this.#shelves.values()) sum += bytesOf(shelf)
    return sum
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    this.#shelves.clear()
  }

  #shelf(organizationId: OrganizationId): Shelf {
    const known = this.#shelves.get(organizationId)
    if (known) return known
    const shelf: Shelf = {
      agents: snapshots(),
      agentVersions: snapshots(),
      teams: snapshots(),
      teamVersions: snapshots(),
      llmConfigurations: { cached: null },
      modelBudgets: { cached: null },
    }
    this.#shelves.set(organizationId, shelf)
    return shelf
  }

  #single<T>(single: Single<T>, read: () => Promise<T>): Promise<T> {
    if (this.#isFresh(single.cached, LONGEST_AGE_MS)) return single.cached.value
    const value = read()
    const cached = { value, loadedAt: this.#clock.now(), bytes: UNKNOWN_BYTES }
    single.cached = cached
    value.then(
      (loaded) => {
        cached.bytes = keptBytes(loaded)
        this.#forgetOldest()
      },
      () => {
        if (single.cached === cached) single.cached = null
      },
    )
    return value
  }

  #snapshot<Id extends string, T>(
    kept: Snapshots<Id, T>,
    id: Id,
    longestAgeMs: number,
    read: () => Promise<T | null>,
  ): Promise<T | null> {
    const cached = kept.get(id)
    if (this.#isFresh(cached, longestAgeMs)) return cached.value
    const value = read()
    const entry = { value, loadedAt: this.#clock.now(), bytes: UNKNOWN_BYTES }
    kept.set(id, entry)
    const isKept = () => kept.peek(id)?.value === value
    const drop = () => void (isKept() && kept.delete(id))
    value.then((snapshot) => {
      // Misses are not cached: the id may be created at any time, and a flood of unknown ids must not evict
      // real entries.
      if (snapshot === null) return drop()
      if (isKept()) kept.set(id, { ...entry, bytes: keptBytes(snapshot) })
      this.#forgetOldest()
    }, drop)
    return value
  }

  /** Evicts the least recently used organizations, which are read again. The newest is always kept. */
  #forgetOldest(): void {
    while (this.bytes > MAX_BYTES && this.#shelves.size > 1) this.#shelves.pop()
  }

  #isFresh<T>(cached: Cached<T> | null | undefined, longestAgeMs: number): cached is Cached<T> {
    return cached != null && this.#clock.now() - cached.loadedAt < longestAgeMs
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
