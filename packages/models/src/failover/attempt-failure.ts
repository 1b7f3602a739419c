import type { FailoverClass, ProviderConnection } from '@troupe/agents/ports'
import type { AnswerEnd } from './answer-end.ts'
import type { ErrorClassName } from './error-classes.ts'
import { shownSentence } from './hide-secrets.ts'
import type { SettableParameter } from './refused-parameter.ts'

/** The chain's reaction to a failure: retry the same model, go to the next, or surface the failure unmasked. */
type FailureKind = 'retry' | 'next' | 'fatal'

/** Why an attempt produced no complete answer. */
export interface AttemptFailure {
  kind: FailureKind
  /** Decides which fallbacks may take over. */
  class: FailoverClass
  /** Safe code for the ledger and public messages. */
  errorCode: string
  /** What it is beyond its status, by the table of error classes; null when only the status tells. */
  errorClass: ErrorClassName | null
  /** For the log only: may contain host names and provider wording. */
  internalMessage: string
  /** The provider's own sentence, for the operator; null when there is none. It may contain secrets until it is shown. */
  providerMessage: string | null
  /** The parameter that the provider refused; null for other failures. */
  parameter: SettableParameter | null
  /** The id of the model that was asked; null when the failure is not about one. */
  modelId: string | null
  /** The end of the public sentence, for the owner of the configuration; null when there is none. */
  publicReason: string | null
  /** The delay that the provider asked for, in ms; null when it asked for none. */
  retryAfterMs: number | null
  /** Whether the circuit breaker counts it, because it indicates a faulty configuration. */
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
    errorClass: null,
    internalMessage,
    providerMessage: null,
    parameter: null,
    modelId: null,
    publicReason: null,
    retryAfterMs: null,
    blamesConfiguration: true,
    ...rest,
  }
}

/** The failure of a call of this model, with the provider's sentence as it may be shown. */
export function failureOfModel(
  failure: AttemptFailure,
  { connection, modelId }: { connection: ProviderConnection; modelId: string },
): AttemptFailure {
  return { ...failure, modelId, providerMessage: shownSentence(failure.providerMessage, connection) }
}

/**
 * An empty answer points to the prompt or the model, not the configuration, so the circuit does not count it. One that was
 * cut by its limit of tokens was all reasoning, which a retry would repeat.
 */
export function emptyResponse(finishReason: AnswerEnd): AttemptFailure {
  const isCut = finishReason === 'length'
  return attemptFailure(
    isCut ? 'only_reasoning' : 'empty_response',
    `empty answer, finish reason ${finishReason}`,
    { kind: isCut ? 'next' : 'retry', blamesConfiguration: false },
  )
}

/** Words of providers that are safe to show: a finish reason is an identifier. */
const IDENTIFIER = /^\w{1,60}$/

/**
 * The provider ended the answer before it was whole, or the connection did.
 *
 * @param reason the provider's finish reason; undefined when there was none
 */
export function cutAnswer(reason: string | undefined): AttemptFailure {
  const publicReason =
    reason === undefined
      ? 'it ended without a finish reason'
      : `the provider ended it with ${IDENTIFIER.test(reason) ? reason : 'an unknown reason'}`
  return attemptFailure('answer_cut', `the answer was cut off, finish reason ${reason ?? 'none'}`, {
    publicReason,
  })
}

/** The model, or a filter of the provider, refused before anything was said: another try would be refused too. */
export function modelRefused(reason: string | undefined): AttemptFailure {
  return attemptFailure('model_refused', `the model refused, finish reason ${reason ?? 'none'}`, {
    kind: 'fatal',
    blamesConfiguration: false,
  })
}

/** An oversized answer; a retry would cost as much again. */
export function answerTooLarge(reason: string): AttemptFailure {
  return attemptFailure('answer_too_large', reason, { kind: 'fatal', blamesConfiguration: false })
}

/** One of our own timers ran out. */
export function timedOut(which: string, ms: number): AttemptFailure {
  return attemptFailure('timeout', `${which} timeout after ${ms} ms`, { class: 'timeout' })
}

/** The vectors of an embedding model cannot be used; a retry would cost as much again. */
export function unusableVectors(reason: string): AttemptFailure {
  return attemptFailure('unusable_vectors', reason, { kind: 'next', publicReason: reason })
}
