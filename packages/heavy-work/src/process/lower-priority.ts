import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/**
 * A third of the share of a thread of this process (sched(7)): a busy server slows a parser down by less than the factor by which it may
 * exceed its CPU time.
 */
const LOWER_PRIORITY = 5

/**
 * Gives a process less CPU time than this one: runs and requests have priority. Call it right after the start: on Linux a priority
 * belongs to a thread, and the threads that Node starts inherit it (sched(7)).
 *
 * The process must not be detached. Where Linux groups sessions ("The autogroup feature" of sched(7)), priorities count within a session
 * only, and a process with a separate session gets as much time as the whole server.
 */
export function lowerPriority({ pid }: ChildProcess): void {
  // It could not be started.
  if (pid === undefined) return
  try {
    setPriority(pid, LOWER_PRIORITY)
  } catch {
    // It has ended.
  }
}
