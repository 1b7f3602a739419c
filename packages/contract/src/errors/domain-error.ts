import type { ErrorCode } from '../operation/error-codes.ts'
import type { StandingReview } from '../reviews/review.ts'
import type { CurrentVersion, FieldError, FieldIssue } from './error-body.ts'

/**
 * An expected failure with its public code and message. Domain code throws it without knowledge of HTTP; the edge maps
 * the code to a status. `internal` is for the log only and never reaches a caller.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | null
  /** The refused fields of a form; null for other failures. */
  readonly issues: readonly FieldIssue[] | null
  readonly internal: string | null
  /** The workflow run for the caller to follow up; null for other failures. */
  readonly executionId: string | null
  /** The prevailing decision; null for other failures. */
  readonly review: StandingReview | null
  /** What a stale change should have been made from; null for other failures. */
  readonly current: CurrentVersion | null

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: readonly FieldError[]
      issues?: readonly FieldIssue[]
      internal?: string
      executionId?: string
      review?: StandingReview
      current?: CurrentVersion
      /** The underlying error; for the log. */
      cause?: unknown
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.errors = details.errors ?? null
    this.issues = details.issues ?? null
    this.internal = details.internal ?? null
    this.executionId = details.executionId ?? null
    this.review = details.review ?? null
    this.current = details.current ?? null
  }
}
