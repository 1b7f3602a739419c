import { readFile } from 'node:fs/promises'

/** Linux counts CPU time in hundredths of a second, on every architecture that Node runs on. */
const TICK_MS = 10

/** Milliseconds of CPU time used by a process, over all its threads. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
