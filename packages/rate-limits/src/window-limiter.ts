import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Count, Limited, RateLimiter, Usage } from './rate-limiter.ts'

/**
 * Limits are compared here rather than in the library, because they differ per organization and may change at
 * any time: the library only counts (`consume` never rejects below this many points).
 */
export const UNREACHABLE_POINTS = Number.MAX_SAFE_INTEGER

/** The part of a `rate-limiter-flexible` counter that is used here. */
export type StoreCounter = Pick<RateLimiterAbstract, 'consume' | 'get' | 'reward'>

/**
 * A {@link RateLimiter} on a `rate-limiter-flexible` counter whose `points` are {@link UNREACHABLE_POINTS}.
 */
export class WindowLimiter implements RateLimiter {
  readonly #counter: StoreCounter
  readonly #release: () => Promise<void>

  constructor(counter: StoreCounter, release: () => Promise<void> = async () => {}) {
    this.#counter = counter
    this.#release = release
  }

  async count({ organizationId, organizationRpm, keyId, keyRpm }: Limited): Promise<Usage> {
    const { consumedPoints: used, msBeforeNext } = await this.#counter.consume(organizationId)
    const resetMs = Math.max(1, msBeforeNext)
    const organization = { used, resetMs }
    if (keyRpm === null || keyId === null) return { organization, keyUsed: null }
    if (used > organizationRpm) {
      const key = await this.#counter.get(keyId)
      return { organization, keyUsed: key?.consumedPoints ?? 0 }
    }
    // A key's counter starts inside the organization's window and expires with it.
    const key = await this.#counter.consume(keyId, 1, { customDuration: Math.ceil(resetMs / 1000) })
    return { organization, keyUsed: key.consumedPoints }
  }

  async hit(name: string, windowSeconds: number): Promise<Count> {
    return toCount(await this.#counter.consume(name, 1, { customDuration: windowSeconds }))
  }

  async peek(name: string): Promise<Count | null> {
    const found = await this.#counter.get(name)
    return found && toCount(found)
  }

  async takeBack(name: string): Promise<void> {
    if (await this.#counter.get(name)) await this.#counter.reward(name, 1)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#release()
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, resetMs: Math.max(1, msBeforeNext) }
}
