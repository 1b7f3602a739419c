import type { Activation } from '@troupe/graph'

/** Milliseconds until a next try for which a worker keeps the run; for one that is further away it lets the run lie. */
export const LONGEST_HELD_RETRY_MS = 30_000

interface LateRetry {
  place: Activation
  /** Milliseconds since the epoch. */
  at: number
}

/** Effects of a run that have failed and are tried again so much later that nobody waits for it. */
export class LateRetries {
  #waiting: LateRetry[] = []

  keep(place: Activation, at: number): void {
    this.#waiting.push({ place, at })
    this.#waiting.sort((one, other) => one.at - other.at)
  }

  /** When the first of them is due, in milliseconds since the epoch; null without one. */
  get firstAt(): number | null {
    return this.#waiting[0]?.at ?? null
  }

  /** Takes one whose time has come; null when there is none. */
  takeDue(now: number): Activation | null {
    const [first] = this.#waiting
    if (!first || first.at > now) return null
    this.#waiting.shift()
    return first.place
  }

  /** Takes them all, due or not. */
  takeAll(): Activation[] {
    return this.#waiting.splice(0).map(({ place }) => place)
  }
}
