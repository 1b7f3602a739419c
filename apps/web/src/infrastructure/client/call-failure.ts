import type { CurrentVersion, DraftSave, ErrorCode, FieldError } from '@troupe/contract'

/**
 * Failures that no server reports: no response, a response that is not from Troupe, or a call that was aborted.
 */
export type LocalCode = 'offline' | 'invalid_answer' | 'aborted'

/** The reason of a failed call, in displayable words. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: ErrorCode | LocalCode
  /** null: no response arrived. */
  readonly status: number | null
  /** For the operator's log; null without one. */
  readonly requestId: string | null
  /** The invalid field, and its error. */
  readonly errors: readonly FieldError[]
  /** The version that a stale change should have been based on; null for other failures. */
  readonly current: CurrentVersion | null
  /** Every save of a draft since the revision of a stale change; null when they are not known, and for other failures. */
  readonly changesSince: readonly DraftSave[] | null
  /** null: the server names no time. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: ErrorCode | LocalCode,
    message: string,
    facts: Partial<
      Pick<CallFailure, 'status' | 'requestId' | 'errors' | 'current' | 'changesSince' | 'retryAfterSeconds'>
    > = {},
  ) {
    super(message)
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.errors = facts.errors ?? []
    this.current = facts.current ?? null
    this.changesSince = facts.changesSince ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }

  /** The same failure with some of its errors. */
  withErrors(errors: readonly FieldError[]): CallFailure {
    const { code, message } = this
    return new CallFailure(code, message, { ...this, errors })
  }

  /** Whether the same call may succeed later without a change. */
  get isPassing(): boolean {
    return this.code === 'offline' || this.status === 429 || (this.status !== null && this.status >= 500)
  }
}

/** Any error as a failure that can be shown. */
export function asCallFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  const detail = error instanceof Error ? ` (${error.message})` : ''
  return new CallFailure('invalid_answer', `Something went wrong in the builder${detail}.`)
}
