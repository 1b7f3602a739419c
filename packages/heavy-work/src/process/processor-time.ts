import { readFileSync } from 'node:fs'

/** Of `/proc/PID/stat`, on every Linux of Node's platforms. */
const TICK_MS = 10

/** Milliseconds of processor time that a process has had; null where the system does not say (only Linux does). */
export function processorMs(pid: number | undefined): number | null {
  if (pid === undefined) return null
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may have spaces. User and system time are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * TICK_MS : null
  } catch {
    return null
  }
}
