import type { Database } from '@troupe/database'
import type { Lifecycle } from '../../lifecycle.ts'

/** Milliseconds after which a silent database counts as missing. */
const PING_TIMEOUT_MS = 2_000

/** Whether the process takes work, and what it lacks. */
export type Readiness = { ready: true } | { ready: false; missing: string[] }

/** Asks what a request needs. Concurrent callers share one question, so that a monitor cannot load the database. */
export class ReadinessCheck {
  readonly #lifecycle: Pick<Lifecycle, 'phase'>
  readonly #database: Pick<Database, 'ping'>
  #asking: Promise<boolean> | null = null

  constructor(lifecycle: Pick<Lifecycle, 'phase'>, database: Pick<Database, 'ping'>) {
    this.#lifecycle = lifecycle
    this.#database = database
  }

  async check(): Promise<Readiness> {
    const { phase } = this.#lifecycle
    if (phase === 'booting') return { ready: false, missing: ['boot is not complete'] }
    if (phase === 'draining') return { ready: false, missing: ['the process is stopping'] }
    this.#asking ??= this.#databaseAnswers().finally(() => {
      this.#asking = null
    })
    return (await this.#asking) ? { ready: true } : { ready: false, missing: ['database'] }
  }

  async #databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS)
    })
    const answer = this.#database.ping().then(
      () => true,
      () => false,
    )
    return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
  }
}
