const WARNING_MS = 30_000
/** The remaining time at which a call requests more minutes. */
const EXTEND_MS = 60_000
/** Retry interval for an unreachable server, which may be in replacement. */
const ASK_AGAIN_MS = 5_000
/** Margin between the end of a call and of its reserved time: the charge is rounded up. */
const MARGIN_MS = 5_000
/** Duration of the announcement that a call ends. */
const FAREWELL_MS = 6_000

export interface LimitActions {
  warn(): void
  timeout(): void
  /** Requests more minutes; returns the new end of the lease, by this machine's clock. Rejects without a response. */
  extend(): Promise<{ until: number | null; granted: boolean }>
  sayFarewell(): void
  budgetExhausted(): void
}

/** Ends a session at its limit and a call with its lease. All times are milliseconds of this machine's clock. */
export class SessionLimits implements Disposable {
  readonly #actions: LimitActions
  readonly #timers = new Set<NodeJS.Timeout>()
  #leaseTimer: NodeJS.Timeout | null = null
  #leaseUntil = 0
  #isOver = false

  constructor(actions: LimitActions, expiresAt: number, warnBeforeEnd: boolean) {
    this.#actions = actions
    const left = expiresAt - Date.now()
    this.#timers.add(setTimeout(() => actions.timeout(), Math.max(0, left)))
    if (warnBeforeEnd && left > WARNING_MS)
      this.#timers.add(setTimeout(() => actions.warn(), left - WARNING_MS))
  }

  /** Sets the end of a call's reserved time. */
  lease(until: number): void {
    if (until <= this.#leaseUntil) return
    this.#leaseUntil = until
    this.#schedule(until - EXTEND_MS, () => void this.#extend())
  }

  async #extend(): Promise<void> {
    const before = this.#leaseUntil
    const answer = await this.#actions.extend().catch(() => null)
    if (this.#isOver) return
    if (answer?.granted && answer.until !== null) this.lease(answer.until)
    // Another extension may have arrived in the meantime.
    if (this.#leaseUntil > before) return
    const endAt = this.#leaseUntil - MARGIN_MS
    const again = Date.now() + ASK_AGAIN_MS
    // A clock ahead of the server's requests too early, and gets the current lease.
    if ((answer === null || answer.granted) && again < endAt - FAREWELL_MS) {
      this.#schedule(again, () => void this.#extend())
      return
    }
    this.#schedule(endAt - FAREWELL_MS, () => {
      this.#actions.sayFarewell()
      this.#schedule(endAt, () => this.#actions.budgetExhausted())
    })
  }

  #schedule(at: number, act: () => void): void {
    if (this.#leaseTimer) clearTimeout(this.#leaseTimer)
    this.#leaseTimer = setTimeout(act, Math.max(0, at - Date.now()))
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    if (this.#leaseTimer) clearTimeout(this.#leaseTimer)
  }
}
