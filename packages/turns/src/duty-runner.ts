import type { TurnTelemetry } from './turn-telemetry.ts'

/** Milliseconds between two rounds of duties. `watchdog` is the sweeper's interval. */
const ROUNDS = { watchdog: 10_000, minute: 60_000, retention: 10 * 60_000 } as const

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

  constructor(duties: readonly Duty[], telemetry: TurnTelemetry) {
    this.#duties = duties
    this.#telemetry = telemetry
  }

  /** Runs duties until disposed; the first `watchdog` round starts immediately. */
  start(): void {
    const rounds: readonly Round[] = ['watchdog', 'minute', 'retention']
    this.#timers.push(...rounds.map((round) => setInterval(() => this.perform(round), ROUNDS[round]).unref()))
    void this.perform('watchdog')
  }

  /** Runs one round. Never throws. */
  async perform(round: Round): Promise<void> {
    for (const { task, work } of this.#duties.filter(({ every }) => every === round)) {
      try {
        await work()
      } catch (error) {
        this.#telemetry.backgroundFailed(task, error)
      }
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer)
  }
}
