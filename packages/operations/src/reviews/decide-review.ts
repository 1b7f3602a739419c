import { isDeepStrictEqual } from 'node:util'
import {
  type DecidedReview,
  DomainError,
  type FieldError,
  type IdText,
  invalidRequest,
  parseId,
  type ReviewActor,
  type ReviewDecisionBody,
  ReviewId,
} from '@troupe/contract'
import type { Actor, AuditEntry, Transaction } from '@troupe/storage'
import { changesOf, proposedOn, traceValue, type ValueChange } from '@troupe/workflows'
import type { EditableField, LockedReview, ReviewScope } from '@troupe/workflows/ports'
import { redact } from '../audit/redact.ts'
import { type DecisionOutcome, type DecisionParts, decideWithin } from '../decisions/decide-within.ts'
import { decidedFields, valuesOf } from './field-values.ts'
import { presentDecided } from './present-review.ts'
import { proposalRevision } from './proposal-revision.ts'
import {
  alreadyApproved,
  alreadyDecided,
  COMMENT_REQUIRED,
  proposalChanged,
  reviewNotFound,
} from './review-errors.ts'
import { actorOf, type Reviewer, reviewerFault, voterOf } from './reviewer.ts'

/** A reviewer's request to decide a review. */
export interface ReviewCall {
  scope: ReviewScope
  reviewId: IdText<ReviewId>
  /** Loads the reviewer within the transaction; called once. */
  reviewer: (read: Transaction['read']) => Promise<Reviewer>
  actor: Actor
  body: ReviewDecisionBody
  /** The revision of the proposed values that the reviewer saw; null: the current one. */
  revision: string | null
}

type Outcome = DecisionOutcome<DecidedReview>

/**
 * Records a decision under the run's lock, which serializes decisions, deadlines, cancellation and commits of the run:
 * the first decision on a review wins, concurrent decisions on different reviews both count, and a run that has ended
 * accepts none. The deadline is checked against the database's clock, independent of when the sweeper runs.
 *
 * @throws DomainError `review_not_found`, `not_a_reviewer`, `review_already_decided`, `run_not_active`,
 * `version_conflict` for a revision that is no longer proposed, and `validation_error` for values that do not match the
 * review's fields
 */
export function decideReview(parts: DecisionParts, call: ReviewCall): Promise<DecidedReview> {
  return decideWithin(parts, parseId(ReviewId, call.reviewId), reviewNotFound, (tx, reviewId) =>
    decide(tx, call, reviewId),
  )
}

async function decide(tx: Transaction, call: ReviewCall, reviewId: ReviewId): Promise<Outcome> {
  const review = await tx.reviews.lock(call.scope, reviewId)
  if (!review) throw reviewNotFound()
  const reviewer = await call.reviewer(tx.read)
  const fault = reviewerFault(review, reviewer)
  if (fault !== null) throw new DomainError('not_a_reviewer', fault)
  const { decision } = call.body
  const by = actorOf(reviewer)
  const isRepeated = repeats(call.body, by, review)
  if (review.status !== 'open') {
    const stands = review.status === (decision === 'approve' ? 'approved' : 'rejected')
    if (isRepeated && stands) return { decided: presentDecided(review), delivery: null }
    throw alreadyDecided(review)
  }
  if (!review.isRunActive) throw alreadyDecided({ ...review, status: 'withdrawn' })
  if (review.isExpired) return expire(tx, review)
  if (isRepeated) return { decided: presentDecided(review), delivery: null }
  // A voter who approved may still reject; a second approval would not count, and its values and comment
  // would be lost.
  if (decision === 'approve' && review.votes.get(voterOf(by))?.decision === 'approve') {
    throw alreadyApproved(by, review)
  }
  if (call.revision !== null && call.revision !== proposalRevision(review.fields))
    throw proposalChanged(review)
  return vote(tx, call, review, by)
}

/** Whether the voter repeats their vote: the same verdict, comment and values. */
function repeats(body: ReviewDecisionBody, by: ReviewActor, review: LockedReview): boolean {
  const said = review.votes.get(voterOf(by))
  if (said?.decision !== body.decision || said.comment !== commentOf(body)) return false
  // Several visitors may share one link.
  if (by.type === 'link' && said.name !== by.name) return false
  // In a quorum other voters may have changed the proposal, so only the values sent are compared.
  const unsent = review.approvalsRequired === 1 ? valuesOf(review.fields) : said.data
  return isDeepStrictEqual({ ...unsent, ...body.data }, { ...said.data })
}

async function expire(tx: Transaction, review: LockedReview): Promise<Outcome> {
  const { reviewId, runId } = review
  const settled = await tx.reviews.settle({ reviewId, runId, status: 'timeout', decision: null })
  const late = { ...review, status: 'timeout' as const, decidedAt: settled?.decidedAt ?? null }
  return { refusal: alreadyDecided(late), delivery: settled?.delivery ?? null }
}

async function vote(
  tx: Transaction,
  { scope, actor, body }: ReviewCall,
  review: LockedReview,
  by: ReviewActor,
): Promise<Outcome> {
  const { reviewId, runId } = review
  const { fields, comment } = checked(review, body)
  const [found, data] = [valuesOf(review.fields), valuesOf(fields)]
  const { organizationId } = scope
  const said = { reviewId, voter: voterOf(by), name: by.name, organizationId, comment, data, found }
  await tx.reviews.vote({ ...said, decision: body.decision })
  const isApproval = body.decision === 'approve'
  await tx.write.audit.append({
    organizationId,
    projectId: review.projectId,
    actor,
    action: isApproval ? 'review.approved' : 'review.rejected',
    entityKind: 'review',
    entityId: reviewId,
    ...auditedDecision(review, { by, comment, changes: changesOf(fields, found, data) }),
  })
  if (isApproval && review.approvals + 1 < review.approvalsRequired) {
    await tx.reviews.propose(reviewId, proposedOn(review.fields, fields))
    return { decided: presentDecided(review), delivery: null }
  }
  const status = isApproval ? 'approved' : 'rejected'
  const settled = await tx.reviews.settle({ reviewId, runId, status, decision: { by, comment, data } })
  if (!settled) throw new Error('an open review of a run in flight could not be settled')
  const { decidedAt, delivery } = settled
  return { decided: presentDecided({ reviewId, runId, status, decidedAt }), delivery }
}

/** Only values changed by the reviewer, without likely secrets; they are erased with those of the run. */
function auditedDecision(
  { runId, workflowId, workflowName, nodeId, path }: LockedReview,
  { by, comment, changes }: { by: ReviewActor; comment: string | null; changes: readonly ValueChange[] },
): Pick<AuditEntry, 'before' | 'after'> {
  const after = { workflowId, workflowName, runId, nodeId, path, by, comment }
  if (changes.length === 0) return { before: null, after }
  const values = (side: 'from' | 'to') =>
    traceValue(redact(Object.fromEntries(changes.map((change) => [change.name, change[side]]))))
  return { before: { data: values('from') }, after: { ...after, data: values('to') } }
}

const commentOf = ({ comment }: ReviewDecisionBody) => comment?.trim() || null

function checked(
  { fields, requireRejectComment }: LockedReview,
  body: ReviewDecisionBody,
): { fields: EditableField[]; comment: string | null } {
  const { decision, data = {} } = body
  const isApproval = decision === 'approve'
  const said = commentOf(body)
  const decided = decidedFields(fields, data, { isApproval })
  const errors: FieldError[] = [...decided.errors]
  if (!isApproval && requireRejectComment && said === null) {
    errors.unshift({ path: 'comment', message: COMMENT_REQUIRED })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { fields: decided.fields, comment: said }
}
