import { createHash } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import type { ListedTools } from './listed-tools.ts'
import { type McpEndpoint, McpUnavailable } from './mcp-endpoint.ts'

const FRESH_MS = 5 * 60_000
/** How long a failure is cached: an unreachable server costs one run its 10 s, not every run. */
const DEAD_MS = 30_000
/** Maximum bytes of all lists, and of those of one organization: enough for at least one list of maximum size. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_SHARE_BYTES = 32 * 1024 * 1024
/** Size of an entry besides its tools, which also limits the number of entries. */
const ENTRY_BYTES = 10_000
/** Measured: a schema of empty objects, in its received, repaired and offered form, takes 22 bytes for each character of its definition. */
const BYTES_PER_CHARACTER = 24

interface Entry {
  until: number
  bytes: number
  result: { tools: ListedTools } | { unavailable: string }
}

/** The entries of one organization, the oldest first. */
interface Shelf {
  bytes: number
  entries: Map<string, Entry>
}

function bytesOf({ tools, leftOut }: ListedTools): number {
  const characters = tools.reduce((sum, { definition }) => sum + definition.definition.length, 0)
  return ENTRY_BYTES + characters * BYTES_PER_CHARACTER + leftOut.length * 1_000
}

/**
 * The lists of tools of servers, cached for a while by address and credentials. Callers choose headers, so each
 * organization has a share of the memory: above it, its own oldest lists are evicted, and above the total, those of the
 * organization with the most.
 */
export class ToolLists {
  readonly #clock: Pick<Clock, 'now'>
  readonly #shelves = new Map<string, Shelf>()
  #bytes = 0
  #isSweepPlanned = false

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Maximum bytes of all lists. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * The list of a server, read with `load` unless a fresh one is cached.
   *
   * @param owner The organization: its lists are not shared.
   * @throws McpUnavailable, and other errors of `load`
   */
  async of(owner: string, endpoint: McpEndpoint, load: () => Promise<ListedTools>): Promise<ListedTools> {
    const key = keyOf(endpoint)
    const known = this.#shelves.get(owner)?.entries.get(key)
    if (known && known.until > this.#clock.now()) return this.#read(known)
    return this.#renew(owner, key, load)
  }

  /** Like {@link of}, but reads the list again and caches it. */
  async renewed(
    owner: string,
    endpoint: McpEndpoint,
    load: () => Promise<ListedTools>,
  ): Promise<ListedTools> {
    return this.#renew(owner, keyOf(endpoint), load)
  }

  async #renew(owner: string, key: string, load: () => Promise<ListedTools>): Promise<ListedTools> {
    const entry = await this.#load(load)
    this.#dropExpired()
    this.#drop(owner, key)
    this.#keep(owner, key, entry)
    return this.#read(entry)
  }

  async #load(load: () => Promise<ListedTools>): Promise<Entry> {
    try {
      const tools = await load()
      return { result: { tools }, bytes: bytesOf(tools), until: this.#clock.now() + FRESH_MS }
    } catch (error) {
      if (!(error instanceof McpUnavailable)) throw error
      const result = { unavailable: error.message }
      return { result, bytes: ENTRY_BYTES, until: this.#clock.now() + DEAD_MS }
    }
  }

  #keep(owner: string, key: string, entry: Entry): void {
    const shelf = this.#shelves.get(owner) ?? { bytes: 0, entries: new Map<string, Entry>() }
    this.#shelves.set(owner, shelf)
    shelf.entries.set(key, entry)
    shelf.bytes += entry.bytes
    this.#bytes += entry.bytes
    while (shelf.bytes > MAX_SHARE_BYTES) this.#dropOldest(owner, shelf)
    while (this.#bytes > MAX_BYTES) this.#dropOldest(...this.#largest())
    this.#sweepLater()
  }

  /** Frees expired entries even without further requests. */
  #sweepLater(): void {
    if (this.#isSweepPlanned) return
    this.#isSweepPlanned = true
    const sweep = () => {
      this.#isSweepPlanned = false
      this.#dropExpired()
      if (this.#shelves.size > 0) this.#sweepLater()
    }
    setTimeout(sweep, FRESH_MS).unref()
  }

  #largest(): [owner: string, shelf: Shelf] {
    const first: [string, Shelf] = ['', { bytes: 0, entries: new Map() }]
    return [...this.#shelves].reduce((most, next) => (next[1].bytes > most[1].bytes ? next : most), first)
  }

  #dropOldest(owner: string, { entries }: Shelf): void {
    const [oldest] = entries.keys()
    if (oldest !== undefined) this.#drop(owner, oldest)
  }

  #dropExpired(): void {
    const now = this.#clock.now()
    for (const [owner, { entries }] of this.#shelves) {
      for (const [key, { until }] of entries) if (until <= now) this.#drop(owner, key)
    }
  }

  #drop(owner: string, key: string): void {
    const shelf = this.#shelves.get(owner)
    const entry = shelf?.entries.get(key)
    if (!shelf || !entry) return
    shelf.entries.delete(key)
    shelf.bytes -= entry.bytes
    this.#bytes -= entry.bytes
    if (shelf.entries.size === 0) this.#shelves.delete(owner)
  }

  #read({ result }: Entry): ListedTools {
    if ('unavailable' in result) throw new McpUnavailable(result.unavailable)
    return result.tools
  }
}

/** The key depends on the credentials, which cannot be read from it. */
function keyOf({ url, headers }: McpEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([url, headers]))
    .digest('base64')
}
