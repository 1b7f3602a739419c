import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { processorMs } from './processor-time.ts'

/** Why there is no answer: the time or memory limit, or a program that failed. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  readonly reason: 'time' | 'memory' | 'failure'

  constructor(reason: ProcessEnded['reason']) {
    super(`a process ended without an answer: ${reason}`)
    this.reason = reason
  }
}

/** Limits of one process. */
export interface ProcessLimits {
  /** Milliseconds of processor time; on a busy machine it may last six times as long. */
  timeMs: number
  /** In MB; the process itself takes about 40 MB more. */
  heapMb: number
}

const BUSY_FACTOR = 6
/** Processor time is known to 10 ms. */
const LEAST_WAIT_MS = 10
/** Of an ended process; an abort is what V8 does at the limit of its heap. */
const ABORTED = 134

/**
 * Runs a program with one input in a process of its own, and resolves with the one message that it sends: see `serveInput`. The process
 * has no environment, and a lower priority than this one.
 *
 * It is no worker thread, because V8 may abort the whole process when the heap of a thread is full: a YAML list of 900 KB did so at a
 * limit of 256 MB. What a process has allocated is also free again when it has ended.
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
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=8', '--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    // A process group of its own: Ctrl-C asks the server to stop, and says nothing about the input.
    detached: true,
  })
  const exited = exitOf(child)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  child.once('message', resolve)
  void exited.then(({ code, signal: by }) => {
    reject(new ProcessEnded(by === 'SIGABRT' || code === ABORTED ? 'memory' : 'failure'))
  })
  const stopWatching = watchTime(child, timeMs, () => reject(new ProcessEnded('time')))
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  // A process that is gone has closed the channel; its exit says why.
  child.send({ input }, () => {})
  try {
    return await promise
  } finally {
    stopWatching()
    signal?.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await exited
  }
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

/** Looks again when the processor time that is left may have passed. @returns ends the watch */
function watchTime({ pid }: ChildProcess, timeMs: number, tooLong: () => void): () => void {
  const giveUpAt = performance.now() + timeMs * BUSY_FACTOR
  const look = () => {
    const left = Math.min(timeMs - (processorMs(pid) ?? timeMs), giveUpAt - performance.now())
    if (left <= 0) tooLong()
    else timer = setTimeout(look, Math.max(LEAST_WAIT_MS, left))
  }
  let timer = setTimeout(look, timeMs)
  return () => clearTimeout(timer)
}
