import { Worker } from 'node:worker_threads'
import type { ScriptOutcome, ThreadAnswer, ThreadRequest } from './script.ts'

/** Under normal conditions, a thread loads within 0.2 s. */
const START_MS = 20_000
/** If the engine cannot interrupt a script, its thread is terminated this long after the script's limit. */
const GRACE_MS = 500

/** The thread ended before it replied. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

/** One thread that executes scripts, one at a time. */
export class SandboxWorker {
  readonly #worker = new Worker(new URL('./sandbox-thread.ts', import.meta.url), {
    env: {},
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  readonly #lost = Promise.withResolvers<never>()
  readonly #ready: Promise<unknown>
  #answered: (answer: ThreadAnswer) => void = () => {}
  /** No further script may run in this thread. */
  spent = false

  constructor() {
    this.#lost.promise.catch(() => {})
    const lose = () => {
      this.spent = true
      this.#lost.reject(new ThreadLost())
    }
    this.#worker.on('error', lose)
    this.#worker.on('exit', lose)
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answered(answer))
    this.#ready = this.#next()
    this.#ready.catch(() => {})
  }

  /**
   * @throws ThreadLost if the thread had to be ended: it did not start, broke, or exceeded the limit by far; the
   * signal's reason if that ended it.
   */
  async perform(request: ThreadRequest, timeoutMs: number, signal: AbortSignal): Promise<ScriptOutcome> {
    const end = () => void this.end()
    signal.addEventListener('abort', end)
    try {
      signal.throwIfAborted()
      await this.#within(START_MS, this.#ready)
      const answer = this.#next()
      this.#worker.postMessage(request)
      const done = await this.#within(timeoutMs + GRACE_MS, answer)
      if (done.kind !== 'done') throw new ThreadLost()
      this.spent ||= done.spent
      return done.outcome
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  async end(): Promise<void> {
    this.spent = true
    await this.#worker.terminate()
  }

  #next(): Promise<ThreadAnswer> {
    return new Promise((resolve) => {
      this.#answered = resolve
    })
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.end(), ms)
    try {
      return await Promise.race([work, this.#lost.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
