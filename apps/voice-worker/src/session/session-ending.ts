import type { WorkerEndReason } from '@troupe/contract/voice-worker'

/** A restarting server is back within this time. A closing child is killed after 30 s, of which the transcript may take 10. */
const REPORT_MS = 15_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 2_000

/** The steps of a session's end, each executed once, in this order. */
export interface EndingSteps {
  /** The session begins to end: no new speech. */
  begin(): void
  /** Stops listening and speaking; afterwards the transcript is complete. null: no reason is reported. */
  close(reason: WorkerEndReason | null): Promise<void>
  /** Reports the end to the server. */
  report(reason: WorkerEndReason): Promise<void>
  /** The server has received the report. */
  reported(): void
  /** Ends the process. */
  exit(reason: string): void
  onError(error: unknown): void
}

/** Ends a session exactly once, even if several callers request it. */
export class SessionEnding {
  readonly #steps: EndingSteps
  #ending: Promise<void> | null = null

  constructor(steps: EndingSteps) {
    this.#steps = steps
  }

  /** Ends the session for a reason that is reported to the server. Never rejects. */
  end(reason: WorkerEndReason): Promise<void> {
    this.#ending ??= this.#perform(reason)
    return this.#ending
  }

  /** Ends a session that the server has ended, or that another worker has. Never rejects. */
  leave(): Promise<void> {
    this.#ending ??= this.#perform(null)
    return this.#ending
  }

  /**
   * Ends the session here, because this process can't serve it. Nothing is reported, so the exit of the process counts as a lost
   * job, and another worker gets the session. Never rejects.
   */
  abandon(): Promise<void> {
    this.#ending ??= this.#close(null).then(() => this.#steps.exit('abandoned'))
    return this.#ending
  }

  async #perform(reason: WorkerEndReason | null): Promise<void> {
    const steps = this.#steps
    await this.#close(reason)
    if (reason === null || (await this.#report(reason))) steps.reported()
    steps.exit(reason ?? 'over')
  }

  #close(reason: WorkerEndReason | null): Promise<void> {
    const steps = this.#steps
    steps.begin()
    return steps.close(reason).catch((error) => steps.onError(error))
  }

  async #report(reason: WorkerEndReason): Promise<boolean> {
    const until = Date.now() + REPORT_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.#steps.report(reason)
        return true
      } catch (error) {
        this.#steps.onError(error)
        if (Date.now() + pauseMs >= until) return false
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
}
