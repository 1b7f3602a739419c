/** Computes the wait before a reconnect, and when to give up. */
export interface Backoff {
  /** Milliseconds before the next attempt, or null when none is left. */
  next(atLeastMs: number): number | null
  /** Resets the attempts after the stream has made progress. */
  reset(): void
  /** Uses the server's `retry:` in milliseconds as the first wait. */
  base(ms: number): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * Doubles the wait after each attempt without progress, up to 30 s, plus up to 25 % random jitter so that
 * clients of a restarted server do not reconnect simultaneously.
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
