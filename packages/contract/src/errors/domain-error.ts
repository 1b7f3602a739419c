import type { ErrorCode } from '../operation/error-codes.ts'
import type { StandingReview } from '../reviews/review.ts'
import type { FieldError, FieldIssue } from './error-body.ts'

/**
 * An expected failure with its public code and text. Domain code throws it and knows no HTTP; the edge maps the code to
 * a status. `internal` is for the log only and never reaches a caller.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | null
  /** Fields of a form that were refused; null elsewhere. */
  readonly issues: readonly FieldIssue[] | null
  readonly internal: string | null
  /** The run of a workflow that the caller goes on with; null elsewhere. */
  readonly executionId: string | null
  /** The decision that stands; null for every other failure. */
  readonly review: StandingReview | null

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: readonly FieldError[]
      issues?: readonly FieldIssue[]
      internal?: string
      executionId?: string
      review?: StandingReview
      /** What was thrown below; for the log. */
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
  }
}
