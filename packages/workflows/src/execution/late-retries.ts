import type { Activation } from '@troupe/graph'

/**
 * A worker keeps a run for a retry due within this many milliseconds; for a later one it releases the run.
 */
export const LONGEST_HELD_RETRY_MS = 30_000

interface LateRetry {
  place: Activation
  /** Milliseconds since the epoch. */
  at: number
}

/** Failed effects of a run whose retry is too far in the future for a worker to wait. */
export class LateRetries {
  #waiting: LateRetry[] = []

  keep(place: Activation, at: number): void {
    this.#waiting.push({ place, at })
    this.#waiting.sort((one, other) => one.at - other.at)
  }

  /** When the first retry is due, in milliseconds since the epoch; null if there is none. */
  get firstAt(): number | null {
    return this.#waiting[0]?.at ?? null
  }

  /** Takes a due retry; null if none is due. */
  takeDue(now: number): Activation | null {
    const [first] = this.#waiting
    if (!first || first.at > now) return null
    this.#waiting.shift()
    return first.place
  }

  /** Takes all retries, due or not. */
  takeAll(): Activation[] {
    return this.#waiting.splice(0).map(({ place }) => place)
  }
}
