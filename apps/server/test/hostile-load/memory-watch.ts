import { readdirSync, readFileSync } from 'node:fs'

/** Processes that parse a document last some hundred milliseconds. */
const EVERY_MS = 50

/** Samples the memory of a process and its child processes, on Linux. Disposing stops it. */
export interface MemoryWatch extends Disposable {
  /**
   * In MB, since the start of the process (`memoryMb`) and of the watch (`wholeMb`); `parts`: the processes of the
   * latter.
   */
  most(): { memoryMb: number; wholeMb: number; parts: string }
}

/** Starts to sample the process. */
export function watchMemory(pid: number): MemoryWatch {
  let mostKb = 0
  let parts = ''
  const timer = setInterval(() => {
    const own = kbOf(pid, 'VmRSS')
    const server = programOf(pid)
    // A forked process that has not started its program yet shares the server's memory, which must not be
    // counted twice.
    const started = startedBy(pid)
      .filter((one) => programOf(one) !== server)
      .map((one) => ({ name: nameOf(one), kb: ownKbOf(one) }))
    const kb = started.reduce((sum, one) => sum + one.kb, own)
    if (kb <= mostKb) return
    mostKb = kb
    parts = [{ name: 'server', kb: own }, ...started].map((one) => `${one.name} ${mb(one.kb)}`).join(', ')
  }, EVERY_MS)
  return {
    most: () => ({ memoryMb: mb(kbOf(pid, 'VmHWM')), wholeMb: mb(mostKb), parts }),
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

const programOf = (pid: number) => textOf(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))

/** The file that a process runs: `bundle-process`. */
function nameOf(pid: number): string {
  const command = programOf(pid)
  return /([\w-]+)\.m?[jt]s\0/.exec(command)?.[1] ?? 'a process'
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
