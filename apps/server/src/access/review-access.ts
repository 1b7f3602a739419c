import { isUuid } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { needsSignIn, type Reviewer } from '@troupe/operations/reviews/reviewer'
import type { ReviewRecord } from '@troupe/workflows/ports'
import type { FastifyRequest } from 'fastify'
import { membershipIn, type People } from '../people/people.ts'
import { isTokenOf } from '../reviews/review-links.ts'

/** How somebody stands before the page of a review. */
export type ReviewAdmission =
  /** No such review for this visitor, or a link that is none. */
  | { kind: 'not_found' }
  | { kind: 'sign_in_required' }
  /** The link is right, but the review must know who decides. Nothing of it is shown. */
  | { kind: 'link_requires_sign_in' }
  /** `token`: the link's, which the form hands back; null for a visitor who came by a session alone. */
  | { kind: 'admitted'; review: ReviewRecord; reviewer: Reviewer; token: string | null }

/** What admission to a review asks. */
export interface ReviewAccessParts {
  reviews: Pick<Database['reviews'], 'link' | 'find'>
  people: Pick<People, 'signedIn' | 'requireSameOrigin'>
}

/**
 * Lets somebody to a review: an active member of its organization by a session, everybody else by the link. Looking never
 * changes anything, so that whatever opens links before people do decides nothing.
 *
 * @param token What the visitor has of a link; '' for none.
 */
export async function admitToReview(
  { reviews, people }: ReviewAccessParts,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reviewId: string,
  token: string,
): Promise<ReviewAdmission> {
  const link = isUuid(reviewId) ? await reviews.link(reviewId) : null
  const hasLink = token !== '' && link?.hash != null && isTokenOf(token, link.hash)
  const person = await people.signedIn(headers)
  // The same for reviews that exist and for those that do not.
  if (!person && token === '') return { kind: 'sign_in_required' }
  const membership = link && membershipIn(person, link.organizationId)
  if (!link || (!hasLink && !membership)) return { kind: 'not_found' }
  const review = await reviews.find({ organizationId: link.organizationId, projectId: null }, reviewId)
  if (!review) return { kind: 'not_found' }
  const admitted = { kind: 'admitted', review, token: hasLink ? token : null } as const
  if (person && membership) {
    const { userId, name } = person
    return { ...admitted, reviewer: { type: 'user', id: userId, name, role: membership.role } }
  }
  if (review.status === 'open' && needsSignIn(review)) return { kind: 'link_requires_sign_in' }
  return { ...admitted, reviewer: { type: 'link', id: reviewId, name: '' } }
}
