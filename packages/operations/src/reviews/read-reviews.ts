import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, parseId, type Review, ReviewId, WorkflowRunId } from '@troupe/contract'
import type { ReviewFilter, ReviewStore } from '@troupe/workflows/ports'
import { presentReview } from './present-review.ts'
import { reviewNotFound } from './review-errors.ts'

interface ReviewPage {
  data: Review[]
  total: number
  page: number
  limit: number
}

/** @throws DomainError `review_not_found` */
export async function getReview(
  store: Pick<ReviewStore, 'find'>,
  scope: Scope,
  reviewId: IdText<ReviewId>,
): Promise<Review> {
  const id = parseId(ReviewId, reviewId)
  const review = id && (await store.find(scope, id))
  if (!review) throw reviewNotFound()
  return presentReview(review)
}

/** One page of the reviews that the scope may see, newest first. */
export async function listReviews(
  store: Pick<ReviewStore, 'page'>,
  scope: Scope,
  filter: ReviewFilter,
): Promise<ReviewPage> {
  const { rows, total } = await store.page(scope, filter)
  return { data: rows.map(presentReview), total, page: filter.page, limit: filter.limit }
}

/**
 * One page of the reviews of a run, oldest first.
 *
 * @throws DomainError `job_not_found`
 */
export async function listWorkflowJobReviews(
  store: Pick<ReviewStore, 'ofRun'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
  page: { page: number; limit: number },
): Promise<ReviewPage> {
  const key = parseId(WorkflowRunId, jobId)
  const found = key && (await store.ofRun(scope, key, page))
  if (!found) throw new DomainError('job_not_found', 'Workflow run not found.')
  return { data: found.rows.map(presentReview), total: found.total, ...page }
}
