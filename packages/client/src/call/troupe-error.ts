import type { FieldError } from '@troupe/contract'
import type { Failure, Result } from './result.ts'

/** A failed call as an exception: thrown by `unwrap` and when a stream fails. */
export class TroupeError<Code extends string = string> extends Error {
  override readonly name = 'TroupeError'
  readonly code: Code
  /** HTTP status; null when no response arrived. */
  readonly status: number | null
  /** Every validation error; empty for other codes. */
  readonly errors: readonly FieldError[]
  /** Seconds to wait before a retry; null when the server sent none. */
  readonly retryAfter: number | null
  /** The complete failure. */
  readonly failure: Failure<Code>

  constructor(failure: Failure<Code>) {
    const { code, message, errors = [], retryAfter = null } = failure.error
    const places = errors.map((error) => `${error.path} ${error.message}`).join('; ')
    super(places === '' ? `${code}: ${message}` : `${code}: ${message} (${places})`)
    this.code = code
    this.status = failure.status
    this.errors = errors
    this.retryAfter = retryAfter
    this.failure = failure
  }
}

/** Returns the data of a call. Throws `TroupeError` when the call failed. */
export async function unwrap<Data, Code extends string>(
  result: Result<Data, Code> | PromiseLike<Result<Data, Code>>,
): Promise<Data> {
  const settled = await result
  if (settled.ok) return settled.data
  throw new TroupeError(settled)
}
