import type { MemberRole, ReviewActor } from '@troupe/contract'
import type { LockedReview, ReviewRecord } from '@troupe/workflows/ports'

/** Somebody who may want to decide, and sees the review's organization. */
export type Reviewer =
  | { type: 'apiKey'; id: string; name: string }
  /** An active member. */
  | { type: 'user'; id: string; name: string; role: MemberRole }
  /** Not signed in, but with the review's link; `id` is the review's. The name is what they gave. */
  | { type: 'link'; id: string; name: string }

type Rules = Pick<ReviewRecord, 'reviewers' | 'allowSelfApproval' | 'allowApiKeys'>

/** Whether the link alone does not let anybody decide: the review asks certain people, or must know who started the run. */
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
  if (reviewer.type !== 'user') return 'This review asks certain people; a person has to sign in to decide.'
  if (kind === 'users') {
    return userIds.includes(reviewer.id) ? null : 'This review asks other people of the organization.'
  }
  return roles.includes(reviewer.role) ? null : `This review asks people with the role ${roles.join(' or ')}.`
}

/**
 * Why somebody may not decide; null when they may. A key is nobody's role and no person: a review that asks certain
 * people never takes the word of a key or of a link.
 */
export function reviewerFault(review: LockedReview, reviewer: Reviewer): string | null {
  if (reviewer.type === 'apiKey' && !review.allowApiKeys) {
    return 'This review asks people; API keys may not decide.'
  }
  const fault = groupFault(review, reviewer)
  if (fault !== null || review.allowSelfApproval) return fault
  if (reviewer.type === 'link') return 'Whoever started the run may not decide: sign in to decide.'
  return startedIt(review, reviewer) ? 'Whoever started the run may not decide about it.' : null
}

/** Why somebody may not decide, as far as it can be told without the run: who started it is asked when they do. */
export function reviewerObstacle(review: Rules, reviewer: Reviewer): string | null {
  return groupFault(review, reviewer)
}

/** How a reviewer stands in the review and in the output of its node. */
export function actorOf({ type, id, name }: Reviewer): ReviewActor {
  return { type, id, name }
}

/**
 * The name of an actor in the list of votes. Whoever has the link is one voice: nobody can tell them apart, nor from
 * members who have signed out. A member who is signed in is that member, also behind a link.
 */
export function voterOf({ type, id }: Pick<ReviewActor, 'type' | 'id'>): string {
  return type === 'link' ? 'link' : `${type}:${id}`
}
