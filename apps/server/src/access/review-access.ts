import { type IdText, parseId, ReviewId } from '@troupe/contract'
import { needsSignIn, type Reviewer, reviewerObstacle } from '@troupe/operations/reviews/reviewer'
import type { People } from '@troupe/people/people'
import type { Database } from '@troupe/storage'
import type { ReviewRecord } from '@troupe/workflows/ports'
import type { FastifyRequest } from 'fastify'
import { admitByLink } from './link-access.ts'

/** The outcome of an admission check for a review page. */
export type ReviewAdmission =
  /** No such review for this visitor, or an invalid link. */
  | { kind: 'not_found' }
  | { kind: 'sign_in_required' }
  /** The link is valid, but the review requires a signed-in reviewer. None of its content is shown. */
  | { kind: 'link_requires_sign_in' }
  /** `token`: the link's, posted back by the form; null for a visitor admitted by a session only. */
  | { kind: 'admitted'; review: ReviewRecord; reviewer: Reviewer; token: string | null }

/** Dependencies of the admission check. */
export interface ReviewAccessParts {
  reviews: Pick<Database['reviews'], 'link' | 'find'>
  people: Pick<People, 'signedIn' | 'requireSameOrigin'>
}

/**
 * Admits to a review: an active member of its organization by session, any other visitor by link. Viewing
 * never changes anything, so link scanners cannot decide a review.
 *
 * @param token The link's token; '' without one.
 */
export async function admitToReview(
  { reviews, people }: ReviewAccessParts,
  request: Pick<FastifyRequest, 'headers'>,
  reviewId: IdText<ReviewId>,
  token: string,
): Promise<ReviewAdmission> {
  const id = parseId(ReviewId, reviewId)
  const link = id && (await reviews.link(id))
  const visit = await admitByLink(people, request, link, token)
  if (visit.kind !== 'admitted') return visit
  const scope = link && { organizationId: link.organizationId, projectId: null }
  const review = id && scope && (await reviews.find(scope, id))
  if (!review) return { kind: 'not_found' }
  const admitted = { kind: 'admitted', review, token: visit.token } as const
  if (visit.member) {
    const { person, role } = visit.member
    const reviewer = { type: 'user', id: person.userId, name: person.name, role } as const
    // A member of the role `reviewer` sees the reviews assigned to them, and the review whose link they were sent.
    const isForOthers = role === 'reviewer' && reviewerObstacle(review, reviewer) !== null
    return isForOthers && admitted.token === null ? { kind: 'not_found' } : { ...admitted, reviewer }
  }
  if (review.status === 'open' && needsSignIn(review)) return { kind: 'link_requires_sign_in' }
  return { ...admitted, reviewer: { type: 'link', id, name: '' } }
}
