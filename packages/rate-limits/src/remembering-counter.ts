import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { StoreCounter } from './window-limiter.ts'

/**
 * Event loop checks before a store counts as unresponsive, and milliseconds between two of them: half a second in
 * total.
 */
const CHECKS = 5
const CHECK_MS = 100

/**
 * Milliseconds by which the end of a window may differ between the store and memory, because a response takes time. A
 * window that ends even later was opened by a store that has lost the known one.
 */
const WINDOW_DRIFT_MS = 1_000

/** Reports whether the store answers. */
export interface StoreHealth {
  answered(): void
  failed(): void
}

/** Counters in memory. */
export interface MemoryCounters {
  /** The last known count of each key. */
  counts: RateLimiterMemory
  /** The keys counted in memory while the store failed, until the end of their window. */
  alone: RateLimiterMemory
}

/**
 * Counts in a store, and in memory while the store fails. Memory continues from the store's last count of this process,
 * so that a limit is not granted twice. It lacks later counts of other processes.
 *
 * After a failure the store may have lost its counts, or lack those of memory. Until the end of that window, both count
 * and the larger count applies. Otherwise the store's count applies even if it is lower, because other processes can
 * undo events.
 */
export class RememberingCounter implements StoreCounter {
  readonly #store: StoreCounter
  readonly #memory: MemoryCounters
  readonly #health: StoreHealth

  constructor(store: StoreCounter, memory: MemoryCounters, health: StoreHealth) {
    this.#store = store
    this.#memory = memory
    this.#health = health
  }

  consume(...given: Parameters<StoreCounter['consume']>): Promise<RateLimiterRes> {
    return this.#counted(given[0], (counter) => counter.consume(...given))
  }

  /** A key that the store lacks was counted in memory during a failure: in the store it would fall below zero. */
  async reward(...given: Parameters<StoreCounter['reward']>): Promise<RateLimiterRes> {
    const held = await this.#answerOf(this.#store.get(given[0]))
    return held
      ? this.#counted(given[0], (counter) => counter.reward(...given))
      : this.#memory.counts.reward(...given)
  }

  async get(key: string | number): Promise<RateLimiterRes | null> {
    const found = (await this.#answerOf(this.#store.get(key))) ?? null
    const known = await this.#memory.counts.get(key)
    if (found === null) return known
    return known !== null && (await this.#isBehind(key, found, known)) ? larger(found, known) : found
  }

  async #counted(
    key: string | number,
    ask: (counter: StoreCounter) => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    const found = await this.#answerOf(ask(this.#store))
    if (found === undefined || found === null) {
      const counted = await ask(this.#memory.counts)
      await this.#memory.alone.set(key, 1, counted.msBeforeNext / 1_000)
      return counted
    }
    const known = await this.#memory.counts.get(key)
    if (known !== null && (await this.#isBehind(key, found, known))) {
      return larger(found, await ask(this.#memory.counts))
    }
    const seconds = found.msBeforeNext / 1_000
    if (seconds > 0) await this.#memory.counts.set(key, found.consumedPoints, seconds)
    return found
  }

  /** Whether the store lacks counts of the window that memory knows. */
  async #isBehind(key: string | number, found: RateLimiterRes, known: RateLimiterRes): Promise<boolean> {
    // The window in memory ends a little later than that of the store.
    if (known.msBeforeNext <= WINDOW_DRIFT_MS) return false
    if (found.msBeforeNext > known.msBeforeNext + WINDOW_DRIFT_MS) return true
    return (await this.#memory.alone.get(key)) !== null
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

function larger(one: RateLimiterRes, other: RateLimiterRes): RateLimiterRes {
  return other.consumedPoints > one.consumedPoints ? other : one
}

/**
 * Rejects if there is no response after several checks. Each check is followed by a turn of the event loop that reads
 * arrived responses: a process that was busy for seconds must not mistake the store for unresponsive, and grant its
 * limits again.
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
