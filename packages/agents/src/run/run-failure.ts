import type { ErrorCode } from '@troupe/contract'

/** A run that failed for a reason that its caller may read. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  /** For the log only. */
  readonly internal: string
  /** The caller's error. */
  readonly code: ErrorCode

  constructor(message: string, internal: string = message, code: ErrorCode = 'upstream_error') {
    super(message)
    this.internal = internal
    this.code = code
  }
}
