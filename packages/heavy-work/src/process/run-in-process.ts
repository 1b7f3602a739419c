import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '@troupe/contract'
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
/** Characters of a text that are sent at once. Node copies each message twice before it is written. */
const PIECE = 256 * 1024
/** The exit code of an ended process; V8 aborts at the limit of its heap. */
const ABORTED = 134

/**
 * Runs a program with one input in a separate process, and resolves with the one message that it sends: see `serveInput`. The process has
 * no environment, and a lower priority than this one. A long `text` of the input is sent in pieces, so that it is not copied as a whole.
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
    // A process that could not be started has no channel.
    sendInput(child, input, timeMs).catch(reject)
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    await exited
  }
}

/** Sends a long `text` of the input in pieces, the next one when the system has the one before: see `serveInput`. */
async function sendInput(child: ChildProcess, input: unknown, timeMs: number): Promise<void> {
  const { text, ...rest } = isJsonObject(input) ? input : {}
  const isLong = typeof text === 'string' && text.length > PIECE
  for (let at = 0; isLong && at < text.length; at += PIECE)
    await sent(child, { piece: text.slice(at, at + PIECE) })
  await sent(child, { input: isLong ? rest : input, timeMs, parent: process.pid })
}

/** Resolves also for an ended process, which has closed the channel: its exit gives the reason. */
function sent(child: ChildProcess, message: object): Promise<void> {
  return new Promise((resolve) => void child.send(message, () => resolve()))
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
