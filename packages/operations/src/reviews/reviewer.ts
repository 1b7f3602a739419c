import type { ApiKeyId, MemberRole, ReviewActor, ReviewId, UserId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import type { LockedReview, ReviewRecord } from '@troupe/workflows/ports'
import type { Principal } from '../access/principal.ts'

/** A caller who wants to decide a review and may see its organization. */
export type Reviewer =
  | { type: 'apiKey'; id: ApiKeyId; name: string }
  /** An active member. */
  | { type: 'user'; id: UserId; name: string; role: MemberRole }
  /** A visitor with the review's link; `id` is the review's, and the name is self-declared. */
  | { type: 'link'; id: ReviewId; name: string }

type Rules = Pick<ReviewRecord, 'reviewers' | 'allowSelfApproval' | 'allowApiKeys'>

/**
 * Whether deciding requires sign-in: the review names its reviewers, or must exclude the user who started the
 * run.
 */
export function needsSignIn({ reviewers, allowSelfApproval }: Rules): boolean {
  return reviewers.kind !== 'members' || !allowSelfApproval
}

function startedIt({ startedBy }: LockedReview, { type, id }: Reviewer): boolean {
  if (type === 'link') return false
  return id === (type === 'user' ? startedBy.userId : startedBy.apiKeyId)
}

function groupFault({ reviewers }: Rules, reviewer: Reviewer): string | null {
  const { kind, roles, userIds } = reviewers
  if (kind === 'members') return null
  if (reviewer.type !== 'user') return 'This review is assigned to specific people: sign in to decide.'
  if (kind === 'users') {
    return userIds.includes(reviewer.id)
      ? null
      : 'This review is assigned to other people of the organization.'
  }
  return roles.includes(reviewer.role)
    ? null
    : `This review is assigned to people with the role ${roles.join(' or ')}.`
}

/**
 * Why a reviewer may not decide; null if they may. API keys and link visitors have no role or user id, so a review that
 * names roles or users never accepts them.
 */
export function reviewerFault(review: LockedReview, reviewer: Reviewer): string | null {
  if (reviewer.type === 'apiKey' && !review.allowApiKeys) {
    return 'This review is for people; API keys may not decide.'
  }
  const fault = groupFault(review, reviewer)
  if (fault !== null || review.allowSelfApproval) return fault
  if (reviewer.type === 'link') return 'The person who started the run may not decide: sign in to decide.'
  return startedIt(review, reviewer) ? 'The person who started the run may not decide.' : null
}

/** Why a reviewer may not decide, as far as known without the run; self-approval is checked when deciding. */
export function reviewerObstacle(review: Rules, reviewer: Reviewer): string | null {
  return groupFault(review, reviewer)
}

/** The API key of a request as a reviewer. */
export async function keyReviewer(
  read: Pick<Readers, 'apiKeys'>,
  { organizationId, keyId }: Principal,
): Promise<Reviewer> {
  const keys = await read.apiKeys.list(organizationId)
  return { type: 'apiKey', id: keyId, name: keys.find(({ id }) => id === keyId)?.name ?? 'an API key' }
}

/** A reviewer as recorded in the review and in its node's output. */
export function actorOf({ type, id, name }: Reviewer): ReviewActor {
  return { type, id, name }
}

/**
 * The key of an actor in the votes. All link visitors share one vote because they are indistinguishable, also
 * from signed-out members; a signed-in member votes as that member even through the link.
 */
export function voterOf({ type, id }: Pick<ReviewActor, 'type' | 'id'>): string {
  return type === 'link' ? 'link' : `${type}:${id}`
}
