import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@troupe/test-kit/free-port'
import { bundleProgram } from '../../src/loading/bundle-program.ts'
import { startOptions } from '../../src/loading/start-options.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '8388608' }
const BOOT_PATIENCE_MS = 60_000

/** The end of a process: its exit code, or the signal that killed it. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null }

/** The real program as a child process. Disposing kills it. */
export interface Program extends AsyncDisposable {
  origin: string
  pid: number
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<Exit>
  /** The complete output, including JSON log lines. */
  output(): string
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`)
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

/** Resolves when `/readyz` is 200. Throws with the output if the process ends before, or takes too long. */
export async function untilReady(
  program: Pick<Program, 'origin' | 'output'>,
  child?: ChildProcess,
): Promise<void> {
  const giveUpAt = Date.now() + BOOT_PATIENCE_MS
  while (!(await isReady(program.origin))) {
    const ended = child !== undefined && (child.exitCode !== null || child.signalCode !== null)
    if (ended || Date.now() > giveUpAt) {
      throw new Error(
        `the server ${ended ? 'ended' : 'did not become ready'}: ${program.output().slice(-2_000)}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Starts the program in `folder`, with nothing from this environment but the PATH, and waits until it is ready. */
export async function startProgram(folder: string, env: Record<string, string>): Promise<Program> {
  // As left by `npm ci`; once per change of the program.
  await bundleProgram()
  const port = await freePort()
  const child = spawn(process.execPath, [...startOptions(), MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...MALLOC,
      TROUPE_DATA_DIR: folder,
      TROUPE_PLAYGROUND: 'off',
      LOG_LEVEL: 'warn',
      TROUPE_DRAIN_SECONDS: '0',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const program: Program = {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exited
    },
    async [Symbol.asyncDispose]() {
      await program.end('SIGKILL')
    },
  }
  try {
    await untilReady(program, child)
  } catch (error) {
    await program[Symbol.asyncDispose]()
    throw error
  }
  return program
}
