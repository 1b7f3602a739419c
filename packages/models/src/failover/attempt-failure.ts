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
  /** Its class in the table of error classes; null if only the status is known. */
  errorClass: ErrorClassName | null
  /** For the log only: may contain host names and provider wording. */
  internalMessage: string
  /** The provider's own sentence, for the operator; null if there is none. It may contain secrets until it is shown. */
  providerMessage: string | null
  /** The parameter that the provider refused; null for other failures. */
  parameter: SettableParameter | null
  /** The id of the called model; null if the failure does not concern a model. */
  modelId: string | null
  /** The end of the public sentence, for the owner of the configuration; null if there is none. */
  publicReason: string | null
  /** The provider's requested delay, in ms; null if there is none. */
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

/** The failure of a call of this model, with the provider's sentence in its shown form. */
export function failureOfModel(
  failure: AttemptFailure,
  { connection, modelId }: { connection: ProviderConnection; modelId: string },
): AttemptFailure {
  return { ...failure, modelId, providerMessage: shownSentence(failure.providerMessage, connection) }
}

/**
 * An empty answer is caused by the prompt or the model, not by the configuration, so the circuit does not count it. An
 * answer cut off by its token limit consisted of reasoning only, which a retry would repeat.
 */
export function emptyResponse(finishReason: AnswerEnd): AttemptFailure {
  const isCut = finishReason === 'length'
  return attemptFailure(
    isCut ? 'only_reasoning' : 'empty_response',
    `empty answer, finish reason ${finishReason}`,
    { kind: isCut ? 'next' : 'retry', blamesConfiguration: false },
  )
}

/** Provider texts that are safe to show: a finish reason is an identifier. */
const IDENTIFIER = /^\w{1,60}$/

/**
 * The provider, or the connection, ended the answer early.
 *
 * @param reason the provider's finish reason; undefined if there was none
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

/** The model, or a filter of the provider, refused before any text: a retry would be refused too. */
export function modelRefused(reason: string | undefined): AttemptFailure {
  return attemptFailure('model_refused', `the model refused, finish reason ${reason ?? 'none'}`, {
    kind: 'fatal',
    blamesConfiguration: false,
  })
}

/** An oversized answer; a retry would cost the same again. */
export function answerTooLarge(reason: string): AttemptFailure {
  return attemptFailure('answer_too_large', reason, { kind: 'fatal', blamesConfiguration: false })
}

/** A timer of this program expired. */
export function timedOut(which: string, ms: number): AttemptFailure {
  return attemptFailure('timeout', `${which} timeout after ${ms} ms`, { class: 'timeout' })
}

/** The vectors of an embedding model cannot be used; a retry would cost the same again. */
export function unusableVectors(reason: string): AttemptFailure {
  return attemptFailure('unusable_vectors', reason, { kind: 'next', publicReason: reason })
}
