import { ERRORS, type ErrorCode, propertyOf } from '@troupe/contract'
import { type ClientError, type Failure, failure, NO_RESPONSE, type Result } from '../call/result.ts'
import type { AnyRunEvent } from './run-events.ts'

/** The error codes of a streamed run. */
export type RunEndCode = ErrorCode | ClientError

/** The result carried by `RunCompleted`. */
export type RunResultOf<E> = E extends { event: 'RunCompleted'; result: infer R } ? R : never

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

function runFailure(event: AnyRunEvent & { error?: unknown; message?: unknown }): Failure<RunEndCode> {
  const code = String(event.error)
  const message = String(event.message)
  if (isErrorCode(code)) {
    return failure(code, message, { ...NO_RESPONSE, status: ERRORS[code].status })
  }
  return { ok: false, error: { code: 'unexpected_error', message, serverCode: code }, ...NO_RESPONSE }
}

/**
 * Converts a terminal event into the response of the synchronous call; null for other events. A failed run
 * gets the status of its code, although the stream itself was answered with 200.
 */
export function terminalResult<E extends AnyRunEvent>(event: E): Result<RunResultOf<E>, RunEndCode> | null {
  switch (event.event) {
    case 'RunCompleted': {
      const data = propertyOf(event, 'result') as RunResultOf<E>
      return { ok: true, data, ...NO_RESPONSE, status: 200 }
    }
    case 'RunError':
      return runFailure(event)
    case 'RunCancelled':
      return failure('run_cancelled', 'The run was cancelled.', {
        ...NO_RESPONSE,
        status: ERRORS.run_cancelled.status,
      })
    default:
      return null
  }
}
