/** How long to wait before connecting again, and when to give up. */
export interface Backoff {
  /** Milliseconds before the next attempt, or null when there is none left. */
  next(atLeastMs: number): number | null
  /** The stream moved on: count from the start. */
  reset(): void
  /** The server's `retry:` in milliseconds becomes the first wait. */
  base(ms: number): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * Doubles the wait with each attempt that brought nothing, up to 30 s, with up to a quarter more at random so that the
 * clients of a restarted server do not come back at once.
 */
export function backoff(attempts: number, random: () => number = Math.random): Backoff {
  let used = 0
  let first = FIRST_WAIT_MS
  return {
    next(atLeastMs) {
      if (used >= attempts) return null
      const wait = Math.min(first * 2 ** used, Math.max(first, LONGEST_WAIT_MS))
      used += 1
      return Math.max(atLeastMs, Math.round(wait * (1 + random() / 4)))
    },
    reset() {
      used = 0
    },
    base(ms) {
      first = ms
    },
  }
}
