import { EmbeddingAnswerError } from '../wire/embedding-answer-error.ts'
import { CutBody, UnexpectedBody } from '../wire/unexpected-body.ts'
import { type AttemptFailure, attemptFailure, cutAnswer, unusableVectors } from './attempt-failure.ts'
import { classifyError } from './classify-error.ts'

/** The failure of a call whose package threw, or sent an `error` part. */
export function failureOfError(error: unknown, now: number): AttemptFailure {
  if (error instanceof EmbeddingAnswerError) return unusableVectors(error.message)
  if (error instanceof CutBody) return cutAnswer(undefined)
  if (error instanceof UnexpectedBody) {
    return attemptFailure('unexpected_body', error.message, {
      kind: 'next',
      publicReason: error.isPage
        ? 'a web page was returned instead of an answer'
        : 'the body is not an answer',
    })
  }
  // The package of OpenAI-compatible servers reports it by an error, the others by a finish reason.
  if (error instanceof Error && error.message === 'Response stream ended without a finish reason.') {
    return cutAnswer(undefined)
  }
  return classifyError(error, now)
}
