import { networkOf, type RateLimiter } from '@troupe/rate-limits'
import type { ApiKeyReader, ApiKeyRecord } from '@troupe/storage'

const WINDOW_SECONDS = 60
/** Wrong keys per window that are looked up immediately: of one network, and in total. */
const PER_NETWORK = 100
const OF_EVERYBODY = 1_000
const EVERYBODY = 'wrong-keys:everybody'
/** Milliseconds between two shared lookups. */
const ROUND_MS = 250
/** Keys in one statement. */
const BATCH = 500

interface Waiting {
  secretHash: string
  resolve: (record: ApiKeyRecord | null) => void
  reject: (error: unknown) => void
}

/** Dependencies of the lookups. */
export interface KeyLookupParts {
  read: Pick<ApiKeyReader, 'byHash' | 'byHashes'>
  /** Counts in this process: a valid key must not wait for another store, and each process protects its own reads. */
  limiter: Pick<RateLimiter, 'hit' | 'takeBack'>
}

/**
 * Reads API keys that are not cached. Every wrong key costs a read, so a network with too many of them in a minute (or
 * all networks together) shares one read every 250 ms. No request is refused: a valid key from the same address waits
 * for the next shared read, once.
 */
export class KeyLookups implements Disposable {
  readonly #read: KeyLookupParts['read']
  readonly #limiter: KeyLookupParts['limiter']
  #waiting: Waiting[] = []
  #round: NodeJS.Timeout | null = null

  constructor({ read, limiter }: KeyLookupParts) {
    this.#read = read
    this.#limiter = limiter
  }

  /**
   * The key with this hash; null if there is none.
   *
   * @param ip the sender of a key that this process has never seen; null for a known key, which is read at once
   */
  async find(secretHash: string, ip: string | null): Promise<ApiKeyRecord | null> {
    if (ip === null) return this.#read.byHash(secretHash)
    // Counted before the read, so that concurrent guesses cannot exceed the limit.
    const network = `wrong-keys:${networkOf(ip)}`
    const ofNetwork = await this.#limiter.hit(network, WINDOW_SECONDS)
    // A network over its limit does not consume the limit of the others.
    const ofEverybody =
      ofNetwork.used > PER_NETWORK ? null : await this.#limiter.hit(EVERYBODY, WINDOW_SECONDS)
    const isImmediate = ofEverybody !== null && ofEverybody.used <= OF_EVERYBODY
    const record = await (isImmediate ? this.#read.byHash(secretHash) : this.#inNextRound(secretHash))
    if (record !== null) {
      await this.#limiter.takeBack(network)
      if (ofEverybody !== null) await this.#limiter.takeBack(EVERYBODY)
    }
    return record
  }

  [Symbol.dispose](): void {
    if (this.#round !== null) clearTimeout(this.#round)
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the server is stopping'))
  }

  #inNextRound(secretHash: string): Promise<ApiKeyRecord | null> {
    const { promise, resolve, reject } = Promise.withResolvers<ApiKeyRecord | null>()
    this.#waiting.push({ secretHash, resolve, reject })
    this.#round ??= setTimeout(() => void this.#runRound(), ROUND_MS)
    return promise
  }

  /** One statement at a time; the next round is timed from the end of this one. */
  async #runRound(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    for (let at = 0; at < waiting.length; at += BATCH) await this.#readAll(waiting.slice(at, at + BATCH))
    this.#round = this.#waiting.length > 0 ? setTimeout(() => void this.#runRound(), ROUND_MS) : null
  }

  async #readAll(batch: readonly Waiting[]): Promise<void> {
    try {
      const records = await this.#read.byHashes(batch.map(({ secretHash }) => secretHash))
      const byHash = new Map(records.map((record) => [record.secretHash, record]))
      for (const { secretHash, resolve } of batch) resolve(byHash.get(secretHash) ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
