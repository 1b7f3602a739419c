import type {
  AgentCatalog,
  AgentSnapshot,
  Clock,
  ModelBudget,
  TeamSnapshot,
  UsableLlmConfiguration,
} from '@troupe/agents/ports'
import type { AgentId, AgentVersionId, OrganizationId, TeamId, TeamVersionId } from '@troupe/contract'
import type {
  AgentRecord,
  BudgetRecord,
  LlmConfigurationRecord,
  TeamRecord,
  TeamVersionRecord,
} from '@troupe/database'
import type { SecretBox } from '@troupe/secrets'
import type { Signals } from '@troupe/turns'
import { LRUCache } from 'lru-cache'
import { agentSnapshot, teamSnapshot, teamVersionSnapshot } from './snapshots.ts'
import { toUsable } from './usable-llm-configuration.ts'

/** Milliseconds. Upper bound on staleness when a change notification is lost. */
const LONGEST_AGE_MS = 5_000
const ORGANIZATIONS = 2_000
/** Per kind: agents, agent versions, teams, team versions. */
const SNAPSHOTS_PER_ORGANIZATION = 5_000

interface Cached<T> {
  value: Promise<T>
  loadedAt: number
}

/** What an organization has once. */
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
   * Versions are immutable, so entries do not expire; they go when the organization changes or by LRU
   * eviction.
   */
  teamVersions: Snapshots<TeamVersionId, TeamSnapshot>
  llmConfigurations: Single<readonly UsableLlmConfiguration[]>
  modelBudgets: Single<readonly ModelBudget[]>
}

/** The database reads behind the catalog. */
export interface CatalogSource {
  agent(organizationId: OrganizationId, id: AgentId): Promise<AgentRecord | null>
  /** With the agent's current status and project. */
  agentVersion(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentRecord | null>
  team(organizationId: OrganizationId, id: TeamId): Promise<TeamRecord | null>
  teamVersion(organizationId: OrganizationId, versionId: TeamVersionId): Promise<TeamVersionRecord | null>
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
  readonly #onUnreadable: (llmConfigId: string, error: unknown) => void
  readonly #unsubscribe: () => void
  readonly #shelves = new LRUCache<string, Shelf>({ max: ORGANIZATIONS })

  constructor(options: {
    source: CatalogSource
    box: SecretBox
    signals: Pick<Signals, 'subscribe'>
    clock: Pick<Clock, 'now'>
    /** Called for a configuration whose credentials no key decrypts; the configuration is skipped. */
    onUnreadable: (llmConfigId: string, error: unknown) => void
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
      return record && teamVersionSnapshot(record)
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
  forget(organizationId: string): void {
    this.#shelves.delete(organizationId)
  }

  [Symbol.dispose](): void {
    this.#unsubscribe()
    this.#shelves.clear()
  }

  #shelf(organizationId: OrganizationId): Shelf {
    const known = this.#shelves.get(organizationId)
    if (known) return known
    const max = SNAPSHOTS_PER_ORGANIZATION
    const shelf: Shelf = {
      agents: new LRUCache({ max }),
      agentVersions: new LRUCache({ max }),
      teams: new LRUCache({ max }),
      teamVersions: new LRUCache({ max }),
      llmConfigurations: { cached: null },
      modelBudgets: { cached: null },
    }
    this.#shelves.set(organizationId, shelf)
    return shelf
  }

  #single<T>(single: Single<T>, read: () => Promise<T>): Promise<T> {
    if (this.#isFresh(single.cached, LONGEST_AGE_MS)) return single.cached.value
    const value = read()
    single.cached = { value, loadedAt: this.#clock.now() }
    value.catch(() => {
      if (single.cached?.value === value) single.cached = null
    })
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
    kept.set(id, { value, loadedAt: this.#clock.now() })
    const drop = () => void (kept.peek(id)?.value === value && kept.delete(id))
    value.then(
      // Misses are not cached: the id may be created at any time, and a flood of unknown ids must not evict
      // real entries.
      (snapshot) => snapshot ?? drop(),
      drop,
    )
    return value
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
