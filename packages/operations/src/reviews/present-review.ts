import type { DecidedReview, Review, StandingReview } from '@troupe/contract'
import type { ReviewRecord } from '@troupe/workflows/ports'

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
const orNull = (milliseconds: number | null) => (milliseconds === null ? null : seconds(milliseconds))

/** A review as the API shows it. */
export function presentReview(review: ReviewRecord): Review {
  const { reviewId, runId, workflowId, workflowName, nodeId, path, title, instructions } = review
  const { shown, fields, status, approvals, approvalsRequired, decision } = review
  return {
    reviewId,
    executionId: runId,
    workflowId,
    workflowName,
    nodeId,
    path,
    title,
    instructions,
    data: shown,
    fields: fields.map(({ proposed: _, ...field }) => field),
    status,
    approvals,
    approvalsRequired,
    createdAt: seconds(review.createdAt),
    expiresAt: orNull(review.expiresAt),
    decidedAt: orNull(review.decidedAt),
    decision,
  }
}

type Verdict = Pick<ReviewRecord, 'reviewId' | 'runId' | 'status' | 'decidedAt'>

/** The review's state after a decision. */
export function presentDecided({ reviewId, runId, status, decidedAt }: Verdict): DecidedReview {
  return { reviewId, executionId: runId, status, decidedAt: orNull(decidedAt) }
}

/** The effective decision. */
export function presentStanding(review: Verdict & Pick<ReviewRecord, 'decision'>): StandingReview {
  return { ...presentDecided(review), decision: review.decision }
}
