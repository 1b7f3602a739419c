import { SandboxWorker, ThreadLost } from './sandbox-worker.ts'
import type { Script, ScriptFault, ScriptOutcome, ThreadRequest } from './script.ts'

/** How many scripts run at the same time, how many may wait, and how long a thread waits for its next script. */
export interface SandboxLimits {
  threads: number
  waiting: number
  idleMs: number
}

const LIMITS: SandboxLimits = { threads: 2, waiting: 500, idleMs: 30_000 }
const CHECK_MS = 5_000

/** Runs the scripts of `code` tools away from the event loop. */
export interface CodeSandbox extends AsyncDisposable {
  /**
   * Runs a script. Threads are shared fairly between owners: a free one goes to the `owner` with the fewest scripts.
   *
   * @throws the signal's reason
   */
  run(script: Script, input: string, owner: string, signal: AbortSignal): Promise<ScriptOutcome>
  /** Why a source cannot be a script, with its line; null when it can. Executes nothing. */
  problemOf(source: string): Promise<string | null>
  /** How many threads exist. */
  readonly threads: number
}

interface Waiting {
  owner: string
  enter: () => void
}

/** Creates the sandbox; its threads start when they are needed. */
export function createCodeSandbox(limits: Partial<SandboxLimits> = {}): CodeSandbox {
  return new ThreadPool({ ...LIMITS, ...limits })
}

const failed = (fault: ScriptFault, message: string): ScriptOutcome => ({
  ok: false,
  fault,
  message,
  line: null,
})

/** A pool of threads. */
class ThreadPool implements CodeSandbox {
  readonly #limits: SandboxLimits
  readonly #all = new Set<SandboxWorker>()
  readonly #idle = new Map<SandboxWorker, NodeJS.Timeout>()
  readonly #waiting: Waiting[] = []
  readonly #running = new Map<string, number>()
  #busy = 0

  constructor(limits: SandboxLimits) {
    this.#limits = limits
  }

  async run(script: Script, input: string, owner: string, signal: AbortSignal): Promise<ScriptOutcome> {
    return this.#perform({ kind: 'run', script, input }, script.timeoutMs, owner, signal)
  }

  async problemOf(source: string): Promise<string | null> {
    const never = new AbortController().signal
    const outcome = await this.#perform({ kind: 'check', source }, CHECK_MS, 'checks', never)
    return outcome.ok ? null : outcome.message
  }

  async #perform(
    request: ThreadRequest,
    timeoutMs: number,
    owner: string,
    signal: AbortSignal,
  ): Promise<ScriptOutcome> {
    if (this.#waiting.length >= this.#limits.waiting) {
      return failed('crashed', 'Too many scripts are waiting to run. Try again later.')
    }
    await this.#enter(owner, signal)
    const worker = this.#take()
    try {
      return await worker.perform(request, timeoutMs, signal)
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error
      return failed('time', `The script did not finish within ${timeoutMs} ms and was ended.`)
    } finally {
      await this.#giveBack(worker)
      this.#leave(owner)
    }
  }

  async #enter(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#busy < this.#limits.threads) this.#count(owner, 1)
    else {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const place: Waiting = { owner, enter: resolve }
      const abort = () => {
        const index = this.#waiting.indexOf(place)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal.reason)
      }
      this.#waiting.push(place)
      signal.addEventListener('abort', abort)
      await promise.finally(() => signal.removeEventListener('abort', abort))
    }
  }

  #count(owner: string, change: 1 | -1): void {
    this.#busy += change
    const running = (this.#running.get(owner) ?? 0) + change
    if (running === 0) this.#running.delete(owner)
    else this.#running.set(owner, running)
  }

  /** Gives the slot to the owner with the fewest running scripts; of equal ones to the first that came. */
  #leave(owner: string): void {
    this.#count(owner, -1)
    let next: Waiting | null = null
    for (const one of this.#waiting) {
      if (next === null || this.#runningOf(one) < this.#runningOf(next)) next = one
    }
    if (next === null) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#count(next.owner, 1)
    next.enter()
  }

  #runningOf({ owner }: Waiting): number {
    return this.#running.get(owner) ?? 0
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
    else this.#idle.set(worker, setTimeout(() => void this.#end(worker), this.#limits.idleMs).unref())
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
