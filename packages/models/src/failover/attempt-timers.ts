import type { Clock, ModelRetry } from '@troupe/agents/ports'
import { type AttemptFailure, timedOut } from './attempt-failure.ts'

/**
 * The three timers of an attempt in one: first token (until the first content part), idle (while a read of a committed
 * stream is pending; a slow consumer is not the provider's fault) and call (from start to end).
 *
 * A part only records the time. When the single timer fires, it checks whether a deadline has passed, and rearms itself
 * if not. A stream of a thousand parts therefore sets one timer, not a thousand.
 */
export class AttemptTimers {
  readonly #clock: Clock
  readonly #retry: ModelRetry
  readonly #onExpired: (failure: AttemptFailure) => void
  readonly #startedAt: number
  #committed = false
  /** Start of the pending read; null while the consumer is not reading. */
  #waitingSince: number | null = null
  #firesAt = Number.POSITIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(clock: Clock, retry: ModelRetry, onExpired: (failure: AttemptFailure) => void) {
    this.#clock = clock
    this.#retry = retry
    this.#onExpired = onExpired
    this.#startedAt = clock.monotonic()
    this.#arm(this.#startedAt)
  }

  /** Milliseconds since the attempt began, rounded. */
  elapsed(): number {
    return Math.round(this.#clock.monotonic() - this.#startedAt)
  }

  /** The first content part has arrived: from now on, silence is measured between parts. */
  commit(): void {
    this.#committed = true
    this.#waitingSince = null
  }

  /** A read of the committed stream begins. */
  waiting(): void {
    const now = this.#clock.monotonic()
    this.#waitingSince = now
    if (now + this.#retry.idleTimeoutMs < this.#firesAt) this.#arm(now)
  }

  /** The read has ended. */
  received(): void {
    this.#waitingSince = null
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#firesAt = Number.NEGATIVE_INFINITY
  }

  #arm(now: number): void {
    this.#cancel?.()
    this.#firesAt = this.#nextDeadline(now).at
    this.#cancel = this.#clock.schedule(Math.max(0, this.#firesAt - now), () => this.#fire())
  }

  #fire(): void {
    const now = this.#clock.monotonic()
    const { at, which, ms } = this.#nextDeadline(now)
    // Timers may fire up to a millisecond early.
    if (at > now + 1) {
      this.#arm(now)
      return
    }
    this.stop()
    this.#onExpired(timedOut(which, ms))
  }

  /** The earliest deadline; without a pending read, the idle deadline is at least one idle period from now. */
  #nextDeadline(now: number): { at: number; which: string; ms: number } {
    const { callTimeoutMs, firstTokenTimeoutMs, idleTimeoutMs } = this.#retry
    const call = { at: this.#startedAt + callTimeoutMs, which: 'call', ms: callTimeoutMs }
    const silence = this.#committed
      ? { at: (this.#waitingSince ?? now) + idleTimeoutMs, which: 'idle', ms: idleTimeoutMs }
      : { at: this.#startedAt + firstTokenTimeoutMs, which: 'first token', ms: firstTokenTimeoutMs }
    return silence.at <= call.at ? silence : call
  }
}
