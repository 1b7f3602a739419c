import { readFileSync } from 'node:fs'

/** How long the main thread of a process worked, and how long it waited for a processor, in milliseconds. */
export interface ThreadTime {
  ranMs: number
  waitedMs: number
}

/** The scheduler's account of the main thread so far; null where the system keeps none (only Linux does). */
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

/** What passed between two readings; zeros where nothing is known. */
export function timeBetween(before: ThreadTime | null, after: ThreadTime | null): ThreadTime {
  if (!before || !after) return { ranMs: 0, waitedMs: 0 }
  return { ranMs: after.ranMs - before.ranMs, waitedMs: after.waitedMs - before.waitedMs }
}

/**
 * A clock of the server, in milliseconds: it stands while the server's main thread is ready to run and has no
 * processor, because other programs of the machine have them. So a busy machine gets fewer attacks in the same time,
 * like it gets less work done.
 */
export function ownClock(pid: number): () => number {
  const first = mainThreadTime(pid)
  const startedAt = performance.now()
  return () => performance.now() - startedAt - timeBetween(first, mainThreadTime(pid)).waitedMs
}
