import type { Database } from '@troupe/storage'
import type { ApiKeyCache } from './api-key-cache.ts'

const EVERY_MS = 60_000

/** Stores, every minute and on exit, when this process last accepted its API keys. */
export class ApiKeyUseFlush implements AsyncDisposable {
  readonly #keys: Pick<ApiKeyCache, 'flushUses'>
  readonly #uses: Database['apiKeyUses']
  readonly #timer: NodeJS.Timeout

  constructor(keys: Pick<ApiKeyCache, 'flushUses'>, { apiKeyUses }: Pick<Database, 'apiKeyUses'>) {
    this.#keys = keys
    this.#uses = apiKeyUses
    this.#timer = setInterval(() => void this.#flush(), EVERY_MS).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#flush()
  }

  /** A failed write is retried with the next one: these times are not critical. */
  async #flush(): Promise<void> {
    await this.#keys.flushUses((uses) => this.#uses.flush(uses)).catch(() => {})
  }
}
