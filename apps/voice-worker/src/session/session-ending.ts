import type { WorkerEndReason } from '@troupe/contract/voice-worker'

/** A server that restarts is back within this; a child that closes is killed after 30 s, of which the transcript may take 10. */
const REPORT_MS = 15_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 2_000

/** What must happen once, in this order, when a session ends. */
export interface EndingSteps {
  /** The session begins to end: nothing new is said. */
  begin(): void
  /** Stops hearing and speaking; what was said so far is in the transcript afterwards. null: nobody is told. */
  close(reason: WorkerEndReason | null): Promise<void>
  /** Tells the server. */
  report(reason: WorkerEndReason): Promise<void>
  /** The server knows. */
  reported(): void
  /** Lets the process go. */
  exit(reason: string): void
  onError(error: unknown): void
}

/** Ends a session exactly once, whoever asks first. */
export class SessionEnding {
  readonly #steps: EndingSteps
  #ending: Promise<void> | null = null

  constructor(steps: EndingSteps) {
    this.#steps = steps
  }

  /** Ends the session for a reason that the server must hear. Never rejects. */
  end(reason: WorkerEndReason): Promise<void> {
    this.#ending ??= this.#perform(reason)
    return this.#ending
  }

  /** Ends a session that the server knows to be over, or that another worker has. Never rejects. */
  leave(): Promise<void> {
    this.#ending ??= this.#perform(null)
    return this.#ending
  }

  /**
   * Ends the session here, which this process cannot serve. Nothing is reported, so the exit of the process counts as a
   * lost job, and another worker gets the session. Never rejects.
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
