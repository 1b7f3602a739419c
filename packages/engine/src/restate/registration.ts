import { setTimeout as pause } from 'node:timers/promises'
import type { EngineHealth } from '@troupe/durable-work'
import type { EngineLog } from '../delivery/engine-log.ts'
import type { Admin } from './admin.ts'

/** Milliseconds between checks of an existing registration. */
const LOOK_MS = 30_000
/** Milliseconds: the first wait after a failure, doubled up to the maximum. */
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5_000

/**
 * Registers this worker with Restate in the background, because an unavailable engine must not block the
 * boot. Checks periodically, because a Restate server that lost its data has lost the registration too.
 */
export class Registration {
  readonly #admin: Admin
  readonly #workerUrl: string
  readonly #log: EngineLog
  readonly #stopped = new AbortController()
  #failure: string | null = 'no attempt has been made yet.'

  constructor(admin: Admin, workerUrl: string, log: EngineLog) {
    this.#admin = admin
    this.#workerUrl = workerUrl
    this.#log = log
  }

  /** Runs until `stop`; never rejects. */
  async keep(): Promise<void> {
    let failures = 0
    while (!this.#stopped.signal.aborted) {
      failures = (await this.#ensure(failures === 0)) ? 0 : failures + 1
      const wait = failures === 0 ? LOOK_MS : Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS)
      await pause(wait, undefined, { signal: this.#stopped.signal, ref: false }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  health(): EngineHealth {
    return this.#failure === null
      ? { healthy: true }
      : { healthy: false, reason: `This worker is not registered with the engine: ${this.#failure}` }
  }

  async #ensure(tell: boolean): Promise<boolean> {
    try {
      const stands = this.#failure === null && (await this.#admin.knowsWorker())
      if (!stands) {
        await this.#admin.register(this.#workerUrl)
        this.#log.info({ worker: this.#workerUrl }, 'registered with the engine')
      }
      this.#failure = null
      return true
    } catch (err) {
      const reason = this.#admin.sentence(err)
      if (tell) this.#log.warn({ worker: this.#workerUrl, reason }, 'cannot register with the engine yet')
      // A completed registration is assumed to last: `health` queries the admin API itself.
      if (this.#failure !== null) this.#failure = reason
      return false
    }
  }
}
