import type { FailoverClass } from '@troupe/agents/ports'

/** What a failure means for the chain: ask the same model again, go to the next, or surface it unmasked. */
type FailureKind = 'retry' | 'next' | 'fatal'

/** Why an attempt gave no (complete) answer. */
export interface AttemptFailure {
  kind: FailureKind
  /** Decides which fallbacks may take over. */
  class: FailoverClass
  /** Safe code for the ledger and for public sentences. */
  errorCode: string
  /** For the log only: may carry host names and provider wording. */
  internalMessage: string
  /** The provider's own wish, in ms; null when it had none. */
  retryAfterMs: number | null
  /** Whether it speaks against the configuration as a whole, so that the circuit breaker counts it. */
  blamesConfiguration: boolean
}

/** A failure with the usual values: retryable, class `error`, counted by the circuit. */
export function attemptFailure(
  errorCode: string,
  internalMessage: string,
  rest: Partial<AttemptFailure> = {},
): AttemptFailure {
  return {
    kind: 'retry',
    class: 'error',
    errorCode,
    internalMessage,
    retryAfterMs: null,
    blamesConfiguration: true,
    ...rest,
  }
}

/** A model that answers nothing did answer: that speaks against the prompt or the model, not the configuration. */
export function emptyResponse(finishReason: string): AttemptFailure {
  return attemptFailure('empty_response', `empty answer, finish reason ${finishReason}`, {
    blamesConfiguration: false,
  })
}

/** A model wrote more than an answer may have; asking again would be paid again. */
export function answerTooLarge(reason: string): AttemptFailure {
  return attemptFailure('answer_too_large', reason, { kind: 'fatal', blamesConfiguration: false })
}

/** One of our own timers ran out. */
export function timedOut(which: string, ms: number): AttemptFailure {
  return attemptFailure('timeout', `${which} timeout after ${ms} ms`, { class: 'timeout' })
}
