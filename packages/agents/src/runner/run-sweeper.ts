import type { RunStore } from '../ports/run-store.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'

const LOST_MS = 10_000
const MINUTE_MS = 60_000
const RETENTION_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
const LOST = {
  errorCode: 'upstream_error',
  errorMessage: 'The server that executed this run stopped unexpectedly.',
} as const

/** What the sweeper needs. */
export interface SweeperOptions {
  store: Pick<RunStore, 'failLost' | 'eraseTexts' | 'sweepExpired'>
  telemetry: RunTelemetry
  now: () => number
  /** After an outage of the database the leases of this process's own runs have expired too: they come first. */
  renewOwn: () => Promise<void>
}

/** When something is done: in every turn of the watchdog (ten seconds), every minute, or with retention (ten minutes). */
type Occasion = 'turn' | 'minute' | 'retention'

/**
 * Ends runs whose process died, and deletes what retention says. Any number of processes may sweep at the same time:
 * both are single statements that find nothing the second time.
 */
export class RunSweeper implements Disposable {
  readonly #options: SweeperOptions
  readonly #timers: NodeJS.Timeout[] = []
  readonly #duties: Record<Occasion, { task: string; work: () => Promise<unknown> }[]> = {
    turn: [],
    minute: [],
    retention: [],
  }

  constructor(options: SweeperOptions) {
    this.#options = options
  }

  /** Adds a duty of an occasion, told by `task` in the log when it fails. */
  add(when: Occasion, task: string, work: () => Promise<unknown>): void {
    this.#duties[when].push({ task, work })
  }

  /**
   * Ends the runs that an earlier process left. `alone` says that no other process can use the database, so that every
   * running row is a lost one. Returns how many.
   */
  async recover(alone: boolean): Promise<number> {
    return this.#options.store.failLost({ all: alone, ...LOST })
  }

  /** Sweeps until disposed. */
  start(): void {
    this.#timers.push(
      setInterval(() => this.sweep(), LOST_MS).unref(),
      setInterval(() => this.perform('minute'), MINUTE_MS).unref(),
      setInterval(() => this.#quietly('retention', () => this.#expire()), RETENTION_MS).unref(),
    )
  }

  /** One turn of the watchdog, which otherwise comes every ten seconds. Never throws. */
  async sweep(): Promise<void> {
    await this.#options.renewOwn()
    await this.#quietly('lost runs', () => this.recover(false))
    await this.#quietly('erasing texts', () => this.#options.store.eraseTexts())
    await this.perform('turn')
  }

  /** Performs the duties of an occasion. Never throws. */
  async perform(when: Occasion): Promise<void> {
    for (const { task, work } of this.#duties[when]) await this.#quietly(task, work)
  }

  async #expire(): Promise<void> {
    const before = this.#options.now() - DAY_MS
    await this.#options.store.sweepExpired({ eventsBefore: before, idempotencyBefore: before })
    await this.perform('retention')
  }

  async #quietly(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.telemetry.backgroundFailed(task, error)
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer)
  }
}
