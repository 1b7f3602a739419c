import { BusyError, bytesOfText, type HeavyWork } from '@troupe/heavy-work'
import { SandboxWorker, ThreadLost } from './sandbox-worker.ts'
import type { Script, ScriptFault, ScriptOutcome, ThreadRequest } from './script.ts'

/** Dependencies of the sandbox. */
export interface SandboxParts {
  /** Schedules the scripts. */
  heavy: HeavyWork
  /** Milliseconds that an idle thread waits for its next script. */
  idleMs?: number
}

const IDLE_MS = 30_000
const CHECK_MS = 5_000
/** Memory of the thread itself, in MB: its heap, in addition to the memory of the script. */
const THREAD_MB = 64

/** Runs the scripts of `code` tools away from the event loop. */
export interface CodeSandbox extends AsyncDisposable {
  /**
   * Runs a script when it is its owner's turn; the owner is an organization.
   *
   * @throws BusyError if it was never started; the signal's reason
   */
  run(script: Script, input: string, owner: string, signal: AbortSignal): Promise<ScriptOutcome>
  /**
   * Why a source is not a valid script, with the line; null if it is valid. Executes nothing.
   *
   * @throws BusyError if it was not compiled, which says nothing about the source
   */
  problemOf(source: string, owner: string): Promise<string | null>
  /** The number of threads. */
  readonly threads: number
}

/** Creates the sandbox; its threads start when they are needed. */
export function createCodeSandbox(parts: SandboxParts): CodeSandbox {
  return new ThreadPool(parts)
}

const failed = (fault: ScriptFault, message: string): ScriptOutcome => ({
  ok: false,
  fault,
  message,
  line: null,
})

/** A pool of threads. */
class ThreadPool implements CodeSandbox {
  readonly #heavy: HeavyWork
  readonly #idleMs: number
  readonly #all = new Set<SandboxWorker>()
  readonly #idle = new Map<SandboxWorker, NodeJS.Timeout>()

  constructor({ heavy, idleMs = IDLE_MS }: SandboxParts) {
    this.#heavy = heavy
    this.#idleMs = idleMs
  }

  async run(script: Script, input: string, owner: string, signal: AbortSignal): Promise<ScriptOutcome> {
    const memoryMb = THREAD_MB + script.memoryMb
    const heldBytes = bytesOfText(script.source) + bytesOfText(input)
    const piece = { kind: 'script', owner, memoryMb, heldBytes, signal } as const
    try {
      return await this.#heavy.run(piece, () =>
        this.#perform({ kind: 'run', script, input }, script.timeoutMs, signal),
      )
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      return failed('time', `The script did not finish within ${script.timeoutMs} ms and was ended.`)
    }
  }

  async problemOf(source: string, owner: string): Promise<string | null> {
    const never = new AbortController().signal
    try {
      const outcome = await this.#heavy.run({ kind: 'script', owner, heldBytes: bytesOfText(source) }, () =>
        this.#perform({ kind: 'check', source }, CHECK_MS, never),
      )
      return outcome.ok ? null : outcome.message
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      throw new BusyError(
        'The script could not be checked in time. Nothing was done. Please try again in a moment.',
      )
    }
  }

  async #perform(request: ThreadRequest, timeoutMs: number, signal: AbortSignal): Promise<ScriptOutcome> {
    const worker = this.#take()
    try {
      return await worker.perform(request, timeoutMs, signal)
    } finally {
      await this.#giveBack(worker)
    }
  }

  #take(): SandboxWorker {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(worker)
      if (!worker.spent) return worker
    }
    const worker = new SandboxWorker()
    this.#all.add(worker)
    return worker
  }

  async #giveBack(worker: SandboxWorker): Promise<void> {
    if (worker.spent) await this.#end(worker)
    else this.#idle.set(worker, setTimeout(() => void this.#end(worker), this.#idleMs).unref())
  }

  async #end(worker: SandboxWorker): Promise<void> {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
    this.#all.delete(worker)
    await worker.end()
  }

  get threads(): number {
    return this.#all.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map((worker) => this.#end(worker)))
  }
}
