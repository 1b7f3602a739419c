import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/**
 * Gives a process less processor time than this one: runs and requests have priority. Call it right after the start: on Linux a
 * priority belongs to a thread, and the threads that Node starts take it over (sched(7)).
 *
 * The process must not be detached. Where Linux groups sessions ("The autogroup feature" of sched(7)), priorities count within a
 * session only, and a process with a session of its own gets as much time as the whole server.
 */
export function lowerPriority({ pid }: ChildProcess): void {
  // It could not be started.
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended.
  }
}
