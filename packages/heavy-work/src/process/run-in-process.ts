import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from './lower-priority.ts'
import { OUT_OF_TIME_SIGNAL } from './out-of-time.ts'
import { isStopSignal } from './stop-signals.ts'

/** The reason for a missing result: the time or memory limit, a program that failed, or one that was ended together with its server. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  readonly reason: 'time' | 'memory' | 'failure' | 'stopped'

  constructor(reason: ProcessEnded['reason']) {
    super(`a process ended without an answer: ${reason}`)
    this.reason = reason
  }
}

/** Limits of one process. */
export interface ProcessLimits {
  /** Milliseconds of CPU time, measured by the process itself; on a busy machine it may last six times as long. */
  timeMs: number
  /** In MB; the process itself takes about 40 MB more. */
  heapMb: number
}

const BUSY_FACTOR = 6
/** The exit code of an ended process; V8 aborts at the limit of its heap. */
const ABORTED = 134

/**
 * Runs a program with one input in a separate process, and resolves with the one message that it sends: see `serveInput`. The process has
 * no environment, and a lower priority than this one.
 *
 * Not a worker thread, because V8 may abort the whole process when the heap of a thread is full: a YAML list of 900 KB did so at a limit of
 * 256 MB. The memory of a process is also freed completely when it ends.
 *
 * @param signal ends the process
 * @throws ProcessEnded; the signal's reason
 */
export async function runInProcess(
  program: URL,
  input: unknown,
  { timeMs, heapMb }: ProcessLimits,
  signal?: AbortSignal,
): Promise<unknown> {
  signal?.throwIfAborted()
  const child = fork(fileURLToPath(program), [], {
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4', '--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  })
  lowerPriority(child)
  const exited = exitOf(child)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  child.once('message', resolve)
  void exited.then((end) => reject(new ProcessEnded(reasonOf(end))))
  const timer = setTimeout(() => reject(new ProcessEnded('time')), timeMs * BUSY_FACTOR)
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    // An ended process has closed the channel; its exit gives the reason.
    child.send({ input, timeMs, parent: process.pid }, () => {})
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await exited
  }
}

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

function reasonOf({ code, signal }: Exit): ProcessEnded['reason'] {
  if (signal === OUT_OF_TIME_SIGNAL) return 'time'
  if (isStopSignal(signal)) return 'stopped'
  return signal === 'SIGABRT' || code === ABORTED ? 'memory' : 'failure'
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
