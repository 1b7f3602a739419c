/** Time, injected so that tests need no real waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  monotonic(): number
  /** Runs `task` once after `ms`; the returned function cancels it. */
  schedule(ms: number, task: () => void): () => void
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (ms, task) => {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
