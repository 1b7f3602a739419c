import type { TurnTelemetry } from './turn-telemetry.ts'

/** Milliseconds between two rounds of duties. `watchdog` is the sweeper's interval. */
const ROUNDS = {
  voiceWorkers: 2_000,
  voiceSessions: 5_000,
  watchdog: 10_000,
  minute: 60_000,
  retention: 10 * 60_000,
} as const

/** How often a duty runs. */
export type Round = keyof typeof ROUNDS

/**
 * Work that every process with the role `scheduler` repeats. Any number of processes may run it concurrently.
 */
export interface Duty {
  every: Round
  /** Names the duty in the log when it fails. */
  task: string
  /** May reject: the next round retries. */
  work(): Promise<unknown>
}

/** Runs a list of duties, those of one round in list order. */
export class DutyRunner implements Disposable {
  readonly #duties: readonly Duty[]
  readonly #telemetry: TurnTelemetry
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Duty>()
  #isDisposed = false

  constructor(duties: readonly Duty[], telemetry: TurnTelemetry) {
    this.#duties = duties
    this.#telemetry = telemetry
  }

  /**
   * Runs duties until disposed; the first `watchdog` round starts immediately. A round skips a duty that an
   * earlier round is still running: a slow duty never overlaps itself, and later rounds run the others.
   */
  start(): void {
    const rounds: readonly Round[] = ['voiceWorkers', 'voiceSessions', 'watchdog', 'minute', 'retention']
    const next = (duty: Duty) => !this.#isDisposed && !this.#running.has(duty)
    this.#timers.push(
      ...rounds.map((round) => setInterval(() => this.#perform(round, next), ROUNDS[round]).unref()),
    )
    void this.#perform('watchdog', next)
  }

  /** Runs every duty of one round now, even without {@link start}. Never throws. */
  perform(round: Round): Promise<void> {
    return this.#perform(round, () => true)
  }

  async #perform(round: Round, mayRun: (duty: Duty) => boolean): Promise<void> {
    for (const duty of this.#duties) {
      if (duty.every !== round || !mayRun(duty)) continue
      this.#running.add(duty)
      try {
        await duty.work()
      } catch (error) {
        this.#telemetry.backgroundFailed(duty.task, error)
      } finally {
        this.#running.delete(duty)
      }
    }
  }

  /** Starts no further duty; the current one is not waited for. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const timer of this.#timers) clearInterval(timer)
  }
}
