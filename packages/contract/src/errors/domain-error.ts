import type { ErrorCode } from '../operation/error-codes.ts'
import type { StandingReview } from '../reviews/review.ts'
import type { WorkflowRunId } from '../schema/ids.ts'
import type { CurrentVersion, DraftSave, FieldError, FieldIssue } from './error-body.ts'
import { MAX_FIELD_ERRORS } from './field-path.ts'

/**
 * An expected failure with its public code and message. Domain code throws it without knowledge of HTTP; the edge maps
 * the code to a status. Keeps the first 200 failures and records that there are more, because no response lists more.
 * `internal` is for the log only and never reaches a caller.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | null
  /** The refused fields of a form; null for other failures. */
  readonly issues: readonly FieldIssue[] | null
  readonly internal: string | null
  /** The workflow run for the caller to follow up; null for other failures. */
  readonly executionId: WorkflowRunId | null
  /** The prevailing decision; null for other failures. */
  readonly review: StandingReview | null
  /** The current base of a stale change; null for other failures. */
  readonly current: CurrentVersion | null
  /** Every save of a draft since the revision of a stale change; null if they are unknown, and for other failures. */
  readonly changesSince: readonly DraftSave[] | null

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: readonly FieldError[]
      issues?: readonly FieldIssue[]
      internal?: string
      executionId?: WorkflowRunId
      review?: StandingReview
      current?: CurrentVersion
      changesSince?: readonly DraftSave[] | null
      /** The underlying error; for the log. */
      cause?: unknown
    } = {},
  ) {
    const most = Math.max(details.errors?.length ?? 0, details.issues?.length ?? 0)
    const rest = most > MAX_FIELD_ERRORS ? ` Only the first ${MAX_FIELD_ERRORS} failures are listed.` : ''
    super(message + rest, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.errors = details.errors?.slice(0, MAX_FIELD_ERRORS) ?? null
    this.issues = details.issues?.slice(0, MAX_FIELD_ERRORS) ?? null
    this.internal = details.internal ?? null
    this.executionId = details.executionId ?? null
    this.review = details.review ?? null
    this.current = details.current ?? null
    this.changesSince = details.changesSince ?? null
  }
}
