import { readdirSync, readFileSync } from 'node:fs'

/** The child processes of a process; Linux only. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

/** Whether a process exists and is not a zombie; Linux only. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Milliseconds of CPU time used by a process; 0 when it is gone. Linux only, where a tick is 10 ms for every program. */
export function processorMsOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may have spaces. User and system time are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** The nice values of the threads of a process; Linux only. */
export function prioritiesOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
  })
}

/** The session of a process; Linux only. */
export function sessionOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3])
}
