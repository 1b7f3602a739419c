import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Maximum milliseconds until a server responds; a busy machine needs seconds. */
const PATIENCE_MS = 30_000
const LOG_LENGTH = 20_000

export interface ServerCommand {
  /** Used in messages. */
  name: string
  program: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Whether the server responds; called until it does. */
  isUp: () => Promise<boolean>
  /** Also receives its output. */
  follow?: NodeJS.WritableStream
}

/** A server as a child process, on fixed ports. Disposing stops it. */
export interface MediaServerProcess extends AsyncDisposable {
  readonly pid: number | undefined
  /** The end of its output. */
  log(): string
  /** Kills it, as a crash would. */
  kill(): Promise<void>
  /** Stops it as an operator would, and waits until it has finished its work. */
  stop(): Promise<void>
  /** Restarts it after `kill` or `stop`. */
  start(): Promise<void>
}

/** Starts a server and waits until it responds. It ends with this process. */
export async function startMediaServerProcess(command: ServerCommand): Promise<MediaServerProcess> {
  let log = ''
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    // Its input is a pipe that closes when this process ends for any reason.
    const started = spawn(command.program, command.args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(command.env === undefined ? {} : { env: command.env }),
    })
    child = started
    const failed = once(started, 'error').then(([error]) => Promise.reject(error))
    failed.catch(() => {})
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (text) => {
        log = (log + text).slice(-LOG_LENGTH)
        command.follow?.write(text)
      })
    }
    const killAtExit = () => started.kill('SIGKILL')
    process.once('exit', killAtExit)
    started.once('exit', () => process.off('exit', killAtExit))
    const giveUpAt = Date.now() + PATIENCE_MS
    while (!(await Promise.race([command.isUp(), failed]))) {
      if (hasEnded(started) || Date.now() > giveUpAt) {
        await end(started, 'SIGKILL')
        throw new Error(`${command.name} did not start: ${log.slice(-4_000)}`)
      }
      await pause(20)
    }
  }

  await start()
  return {
    get pid() {
      return child?.pid
    },
    log: () => log,
    start,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM', DRAIN_MS),
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  }
}

const GRACE_MS = 5_000
/** A draining program may take longer than one that only stops. */
const DRAIN_MS = 60_000

async function end(child: ChildProcess | null, signal: NodeJS.Signals, graceMs = GRACE_MS): Promise<void> {
  if (child === null || hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(timer)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Whether a page responds with 200. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}
