import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@troupe/test-kit/free-port'
import { bundleProgram } from '../../src/loading/bundle-program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'

/** The folder of the repository. */
export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
const KEY = 'signals-key-0123456789'
const AGENT = '6c0e7f4e-9d3b-4b59-8d0a-0d8b2d6a3c11'
/** Like an operator's start, without building the pages first. */
export const NPM_START = ['npm', 'start', '--ignore-scripts']
const START_MS = 60_000

/** A data folder, a port and the environment of a program with one agent. Disposing deletes the folder. */
export interface Place extends AsyncDisposable {
  folder: string
  origin: string
  port: number
  env: Record<string, string>
}

/** The started process: npm or another parent, with the program as a descendant. Disposing kills all of it. */
export interface Started extends AsyncDisposable {
  parent: ChildProcess
  /** The exit of the parent. */
  exited: Promise<[number | null, NodeJS.Signals | null]>
  output(): string
  /** Resolves when `/readyz` is 200, with the pid of the program in this process's namespace. */
  ready(): Promise<number>
}

/** Makes an empty data folder and the environment variables of a program that uses it. */
export async function newPlace(): Promise<Place> {
  await bundleProgram()
  const folder = await mkdtemp(join(tmpdir(), 'troupe-signals-'))
  const port = await freePort()
  const bundle = join(folder, 'bundle.json')
  await writeFile(bundle, JSON.stringify(sandboxBundle({ key: KEY, agentId: AGENT })))
  return {
    folder,
    port,
    origin: `http://127.0.0.1:${port}`,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TROUPE_DATA_DIR: join(folder, 'data'),
      TROUPE_PLAYGROUND: 'off',
      TROUPE_BUNDLE: bundle,
      PORT: String(port),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts a command that runs the program, in a separate process group. */
export function startIn(place: Place, [program = '', ...args]: readonly string[]): Started {
  const parent = spawn(program, args, {
    cwd: REPOSITORY,
    env: place.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [parent.stdout, parent.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(parent, 'exit') as Started['exited']
  return {
    parent,
    exited,
    output: () => output,
    async ready() {
      const giveUpAt = Date.now() + START_MS
      while (!(await isReady(place.origin))) {
        if (parent.exitCode !== null || parent.signalCode !== null || Date.now() > giveUpAt)
          throw new Error(`the program did not start: ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return programBelow(parent.pid ?? 0)
    },
    async [Symbol.asyncDispose]() {
      for (const pid of descendants(parent.pid ?? 0)) end(pid)
      end(parent.pid ?? 0)
      await exited
    },
  }
}

/** Streams a run that takes some milliseconds; resolves once it has started. */
export async function streamRun({ origin }: Place, ms: number): Promise<{ whole: Promise<string> }> {
  const response = await fetch(`${origin}/api/v1/agents/${AGENT}/run-stream`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ message: `[[delay: ${ms}]] [[reply: told to the end]]` }),
  })
  if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`)
  const whole = response.text()
  // Cut off if a test ends the program immediately.
  whole.catch(() => {})
  return { whole }
}

/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Every descendant of a process, breadth first. */
export function descendants(pid: number): number[] {
  try {
    const next = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return next.map(Number).flatMap((child) => [child, ...descendants(child)])
  } catch {
    return []
  }
}

/** The process that runs the program itself. */
function programBelow(pid: number): number {
  const found = [pid, ...descendants(pid)].find((one) => {
    const [command = '', ...args] = readFileSync(`/proc/${one}/cmdline`, 'utf8').split('\0')
    return command.endsWith('node') && args.some((argument) => argument.endsWith('apps/server/src/main.js'))
  })
  if (found === undefined) throw new Error(`no program below ${pid}`)
  return found
}

/** Whether anything responds at the address. */
export async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(`${origin}/healthz`)
    return true
  } catch {
    return false
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).status === 200
  } catch {
    return false
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
