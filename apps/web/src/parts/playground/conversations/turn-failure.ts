import { isJsonObject, propertyOf } from '@troupe/contract'
import type { TurnFailure } from '../../../core/playground/turns.ts'

/** The reason why a stream could not be opened or read, from the result of a call or the thrown error. */
export function turnFailure(cause: unknown): TurnFailure {
  // `TroupeError` carries the failed result; it is recognised by its shape, so that the client is not part of this chunk.
  const failed = propertyOf(cause, 'failure') ?? cause
  const error = propertyOf(failed, 'error')
  const [code, message] = [propertyOf(error, 'code'), propertyOf(error, 'message')]
  const [requestId, seconds] = [propertyOf(failed, 'requestId'), propertyOf(error, 'retryAfter')]
  const errors = propertyOf(error, 'errors')
  return {
    code: typeof code === 'string' ? code : 'unexpected_error',
    message: typeof message === 'string' ? message : cause instanceof Error ? cause.message : '',
    errors: Array.isArray(errors) ? errors.flatMap(fieldError) : [],
    requestId: typeof requestId === 'string' ? requestId : null,
    retryAfterSeconds: typeof seconds === 'number' ? seconds : null,
  }
}

function fieldError(value: unknown): { path: string; message: string }[] {
  if (!isJsonObject(value)) return []
  const { path, message } = value
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : []
}
