import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A measured process. Disposing ends it and waits until it has exited. */
export interface Child extends AsyncDisposable {
  process: ChildProcess
  /** The output so far. */
  output(): string
}

/** As `npm start` sets them, for targets and floors alike: a small young generation, a heap that starts at 96 MB and grows by half, and WebAssembly that counts no calls. */
const NODE_OPTIONS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
  '--initial-heap-size=96',
  '--no-wasm-inlining',
  '--no-wasm-inlining-call-indirect',
]
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '8388608' }

/** The absolute path of a file, given relative to the repository root. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** Starts a TypeScript program of this repository with the benchmark's Node. */
export function startChild(program: string, args: readonly string[], env: Record<string, string>): Child {
  const child = spawn(process.execPath, [...NODE_OPTIONS, repositoryFile(program), ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...MALLOC, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    process: child,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await gone
      clearTimeout(timer)
    },
  }
}

/**
 * Waits until a URL answers 200.
 *
 * @returns milliseconds since the call.
 * @throws Error with the program's output when it exits or 30 s pass.
 */
export async function untilReady(child: Child, url: string): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 30_000) {
    if (child.process.exitCode !== null) break
    const ready = await fetch(url).then(
      (response) => response.status === 200,
      () => false,
    )
    if (ready) return performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${url} did not become ready:\n${child.output()}`)
}

/**
 * Waits until a program has printed something.
 *
 * @returns the first group of the pattern.
 * @throws Error with the program's output when it exits or `patienceMs` pass.
 */
export async function untilPrinted(child: Child, pattern: RegExp, patienceMs = 30_000): Promise<string> {
  const giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    const found = pattern.exec(child.output())?.[1]
    if (found) return found
    if (child.process.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`the program did not print ${pattern}:\n${child.output()}`)
}
