import { accessSync, constants, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { inspect } from 'node:util'

/** The program that replaces this one in order to exit. */
const SHELL = '/bin/sh'
/** Node's own exit code for a program that still waits for a top-level `await`; Node prints the place after all listeners. */
const UNSETTLED = 13

let isPrepared = false

/**
 * Ends this process with an exit code: after the listeners of `exit`, and without the teardown of V8, which may wait forever
 * (https://github.com/nodejs/node/issues/54918). The one place that calls `process.exit`.
 */
export function endProcess(code: number): never {
  endWithoutTeardown()
  process.exit(code)
}

/**
 * Makes every later exit of this process skip the teardown of V8: `endProcess`, `process.exit` of a library, an uncaught error, and the
 * natural end. Every program calls it first.
 *
 * Node joins its worker threads on exit, and a thread of V8 that compiles may at that moment wait for a garbage collection by the main
 * thread. Nothing inside of the process runs then, so the kernel replaces the process by a shell that exits: `execve` ends all threads, and
 * closes every file but the three standard ones. Where that is impossible (Windows, no shell, a process without the permission) Node
 * exits as usual.
 */
export function endWithoutTeardown(): void {
  if (isPrepared) return
  isPrepared = true
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') === 0) uncaught = { error }
  })
  process.on('exit', leave)
}

/** An error that ends the process. Node would print it after the listeners of `exit`. */
let uncaught: { error: unknown } | null = null

function leave(code: number): void {
  if (process.exitCode === UNSETTLED || !canReplace()) return
  let isLater = false
  for (const listener of process.listeners('exit')) {
    // Listeners after this one would never be called.
    if (isLater) listener.call(process, code)
    isLater ||= listener === leave
  }
  if (uncaught !== null) say(`${inspect(uncaught.error)}\n`)
  // Node writes it after the listeners, and not in every version before an `execve`.
  flushCompileCache()
  replaceByExit(Number(process.exitCode ?? code) & 0xff)
}

/** A failed `execve` aborts the process in Node 24, so its preconditions are checked first. */
function canReplace(): boolean {
  if (process.execve === undefined || process.permission !== undefined) return false
  try {
    accessSync(SHELL, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function replaceByExit(code: number): void {
  try {
    process.execve?.(SHELL, ['sh', '-c', `exit ${code}`], {})
  } catch {
    // A closed standard stream, which cannot be handed over: Node exits.
  }
}

function say(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // Standard error is closed.
  }
}
