import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { StoreCounter } from './window-limiter.ts'

/** Checks of the event loop until a store counts as silent, and milliseconds between two of them: half a second in all. */
const CHECKS = 5
const CHECK_MS = 100

/** Reports whether the store answers. */
export interface StoreHealth {
  answered(): void
  failed(): void
}

/**
 * Counts in a store, and in memory while the store fails. Memory continues from the store's last count of this process, so that a limit is not
 * granted once more. The counts of other processes since that answer are missing in it.
 */
export class RememberingCounter implements StoreCounter {
  readonly #store: StoreCounter
  readonly #memory: RateLimiterMemory
  readonly #health: StoreHealth

  constructor(store: StoreCounter, memory: RateLimiterMemory, health: StoreHealth) {
    this.#store = store
    this.#memory = memory
    this.#health = health
  }

  consume(...given: Parameters<StoreCounter['consume']>): Promise<RateLimiterRes> {
    return this.#counted(given[0], (counter) => counter.consume(...given))
  }

  /** A key that the store does not have was counted in memory, during a failure of the store: there it would fall below zero. */
  async reward(...given: Parameters<StoreCounter['reward']>): Promise<RateLimiterRes> {
    const held = await this.#answerOf(this.#store.get(given[0]))
    return held
      ? this.#counted(given[0], (counter) => counter.reward(...given))
      : this.#memory.reward(...given)
  }

  async get(key: string | number): Promise<RateLimiterRes | null> {
    return (await this.#answerOf(this.#store.get(key))) ?? this.#memory.get(key)
  }

  async #counted(
    key: string | number,
    ask: (counter: StoreCounter) => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    const found = await this.#answerOf(ask(this.#store))
    if (found === undefined || found === null) return ask(this.#memory)
    const seconds = found.msBeforeNext / 1_000
    if (seconds > 0) await this.#memory.set(key, found.consumedPoints, seconds)
    return found
  }

  /** undefined: the store has failed. */
  async #answerOf<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      const found = await inTime(asked)
      this.#health.answered()
      return found
    } catch {
      this.#health.failed()
      return undefined
    }
  }
}

/**
 * Rejects when there is no answer after some checks. Each check is followed by a turn of the event loop that reads the answers which have
 * arrived: a process that was busy for seconds must not take the store for silent, and grant its limits once more.
 */
function inTime<T>(asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let checks = 0
    const check = () => {
      checks += 1
      if (checks < CHECKS) timer.refresh()
      else setImmediate(() => reject(new Error('the store does not answer')))
    }
    const timer = setTimeout(check, CHECK_MS)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
