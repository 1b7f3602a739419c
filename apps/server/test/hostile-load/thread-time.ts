import { readFileSync } from 'node:fs'

/** Time in which the main thread of a process worked, and in which it waited for a processor, in milliseconds. */
export interface ThreadTime {
  ranMs: number
  waitedMs: number
}

/** The scheduler's statistics of the main thread so far; null if the system has none (only Linux has). */
export function mainThreadTime(pid: number): ThreadTime | null {
  try {
    const [ran = Number.NaN, waited = Number.NaN] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
      .split(' ')
      .map(Number)
    return Number.isFinite(ran + waited) ? { ranMs: ran / 1e6, waitedMs: waited / 1e6 } : null
  } catch {
    return null
  }
}

/** The difference of two readings; zeros if unknown. */
export function timeBetween(before: ThreadTime | null, after: ThreadTime | null): ThreadTime {
  if (!before || !after) return { ranMs: 0, waitedMs: 0 }
  return { ranMs: after.ranMs - before.ranMs, waitedMs: after.waitedMs - before.waitedMs }
}

/**
 * A clock of the server, in milliseconds, which stops while the server's main thread is ready to run but has no processor because
 * of other programs. So a busy machine gets fewer attacks in the same time, just as it does less work.
 */
export function ownClock(pid: number): () => number {
  const first = mainThreadTime(pid)
  const startedAt = performance.now()
  return () => performance.now() - startedAt - timeBetween(first, mainThreadTime(pid)).waitedMs
}
