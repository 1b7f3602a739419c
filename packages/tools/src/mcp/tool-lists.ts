import { createHash } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import type { ListedTools } from './listed-tools.ts'
import { type McpEndpoint, McpUnavailable } from './mcp-endpoint.ts'

const FRESH_MS = 5 * 60_000
/** A server that does not answer costs one run its 10 s, not every run. */
const DEAD_MS = 30_000
const MAX_LISTS = 1_000

interface Entry {
  until: number
  result: { tools: ListedTools } | { unavailable: string }
}

/** The lists of tools of servers, kept for a while by address and credentials. */
export class ToolLists {
  readonly #clock: Pick<Clock, 'now'>
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /**
   * The list of a server, read with `load` unless a fresh one is kept.
   *
   * @param owner The organization: nobody else shares its lists.
   * @throws McpUnavailable, and everything else that `load` throws
   */
  async of(owner: string, endpoint: McpEndpoint, load: () => Promise<ListedTools>): Promise<ListedTools> {
    const key = keyOf(owner, endpoint)
    const known = this.#entries.get(key)
    if (known && known.until > this.#clock.now()) return this.#read(known)
    return this.#renew(key, load)
  }

  /** As {@link of}, but the list is read anew, and kept for others. */
  async renewed(
    owner: string,
    endpoint: McpEndpoint,
    load: () => Promise<ListedTools>,
  ): Promise<ListedTools> {
    return this.#renew(keyOf(owner, endpoint), load)
  }

  async #renew(key: string, load: () => Promise<ListedTools>): Promise<ListedTools> {
    const entry = await this.#load(load)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_LISTS) break
      this.#entries.delete(oldest)
    }
    return this.#read(entry)
  }

  async #load(load: () => Promise<ListedTools>): Promise<Entry> {
    try {
      return { result: { tools: await load() }, until: this.#clock.now() + FRESH_MS }
    } catch (error) {
      if (!(error instanceof McpUnavailable)) throw error
      return { result: { unavailable: error.message }, until: this.#clock.now() + DEAD_MS }
    }
  }

  #read({ result }: Entry): ListedTools {
    if ('unavailable' in result) throw new McpUnavailable(result.unavailable)
    return result.tools
  }
}

/** Credentials are a part of it, but cannot be read from it. */
function keyOf(owner: string, { url, headers }: McpEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, url, headers]))
    .digest('base64')
}
