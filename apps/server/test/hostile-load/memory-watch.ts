import { readdirSync, readFileSync } from 'node:fs'

/** Processes that parse a document last some hundred milliseconds. */
const EVERY_MS = 50

/** Samples the memory of a process and its child processes, on Linux. Disposing stops it. */
export interface MemoryWatch extends Disposable {
  /** In MB, since the start of the process (`memoryMb`) and of the watch (`wholeMb`). */
  most(): { memoryMb: number; wholeMb: number }
}

/** Starts to sample the process. */
export function watchMemory(pid: number): MemoryWatch {
  let mostKb = 0
  const timer = setInterval(() => {
    mostKb = Math.max(mostKb, kbOf(pid, 'VmRSS') + startedBy(pid).reduce((sum, one) => sum + ownKbOf(one), 0))
  }, EVERY_MS)
  return {
    most: () => ({ memoryMb: mb(kbOf(pid, 'VmHWM')), wholeMb: mb(mostKb) }),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const mb = (kb: number) => Math.round(kb / 1_024)

function startedBy(pid: number): number[] {
  const threads = textOf(() => readdirSync(`/proc/${pid}/task`).join(' ')).split(' ')
  return threads
    .flatMap((thread) =>
      textOf(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).split(' '),
    )
    .filter((child) => child.trim() !== '')
    .map(Number)
}

/** Without the program's code, which all processes of Node share. */
function ownKbOf(pid: number): number {
  return kbOf(pid, 'RssAnon')
}

/** 0 for an ended process. */
function kbOf(pid: number, name: string): number {
  const status = textOf(() => readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
