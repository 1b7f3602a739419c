import { isDeepStrictEqual } from 'node:util'
import { type ChangedBy, DomainError, deciderName, isUuid, type ReviewActor } from '@troupe/contract'
import type { LockedReview, LockedVote, ReviewRecord } from '@troupe/workflows/ports'
import { presentStanding } from './present-review.ts'

/** The error for a review id: one text for unknown, foreign and malformed ids. */
export function reviewNotFound(): DomainError {
  return new DomainError('review_not_found', 'Review not found.')
}

/** The error for a rejection without a required comment. */
export const COMMENT_REQUIRED = 'is required for a rejection'

type Quorum = Pick<ReviewRecord, 'approvals' | 'approvalsRequired'>

/** The state of a review as a sentence. */
export function verdictText({ status, decision }: Pick<ReviewRecord, 'status' | 'decision'>): string {
  const by = decision ? ` by ${deciderName(decision.by)}` : ''
  switch (status) {
    case 'approved':
      return `The review was approved${by}.`
    case 'rejected':
      return `The review was rejected${by}.`
    case 'timeout':
      return 'The deadline of the review has passed.'
    case 'withdrawn':
      return 'The run of this review has ended, so the review was withdrawn.'
    case 'open':
      return 'The review is open.'
    default:
      return status satisfies never
  }
}

/** The progress of a quorum, as a sentence to a reviewer who has already approved. */
export function approvedText({ type }: Pick<ReviewActor, 'type'>, review: Quorum): string {
  const who = type === 'link' ? 'A visitor with the link has' : 'You have'
  return `${who} already approved. The review waits for ${review.approvalsRequired - review.approvals} more.`
}

/**
 * Refuses a second approval by the same voter: the first one counts, and the second's values and comment
 * would be lost.
 */
export function alreadyApproved(by: ReviewActor, review: ReviewRecord): DomainError {
  return new DomainError('review_already_decided', approvedText(by, review), {
    review: presentStanding(review),
  })
}

/** Refuses a decision on a review that is no longer open. */
export function alreadyDecided(review: ReviewRecord): DomainError {
  if (review.status === 'withdrawn') return new DomainError('run_not_active', verdictText(review))
  return new DomainError('review_already_decided', verdictText(review), { review: presentStanding(review) })
}

/** Refuses a decision on values that the reviewer did not see: an approval has changed them since. */
export function proposalChanged({
  votes,
  createdAt,
}: Pick<LockedReview, 'votes' | 'createdAt'>): DomainError {
  const last = newestChange(votes)
  return new DomainError('version_conflict', proposalChangedText(last ? voterName(last) : null), {
    current: {
      number: null,
      versionId: null,
      changedBy: last ? changedBy(last[0], last[1].name) : null,
      changedAt: new Date(last?.[1].at ?? createdAt).toISOString(),
    },
  })
}

/** A sentence that the values have changed. `by` is null for a visitor, who must not see who decides. */
export function proposalChangedText(by: string | null): string {
  return `The proposed values were changed${by === null ? '' : ` by ${by}`} since you read them.`
}

/** The newest vote whose values differ from the previous ones. If none does, the first vote changed the run's proposal. */
function newestChange(votes: LockedReview['votes']): [voter: string, vote: LockedVote] | undefined {
  const oldestFirst = [...votes].sort(([, one], [, other]) => one.at - other.at)
  return oldestFirst.findLast(([, { data }], index) => {
    const before = oldestFirst[index - 1]
    return before === undefined || !isDeepStrictEqual(data, before[1].data)
  })
}

function voterName([voter, { name }]: [voter: string, vote: LockedVote]): string {
  return voter === 'link' ? deciderName({ type: 'link', name }) : name
}

/** @param voter `user:<id>`, `apiKey:<id>` or `link` */
function changedBy(voter: string, name: string): ChangedBy {
  const [type = '', id] = voter.split(':')
  return { kind: type === 'apiKey' ? 'api_key' : type, id: isUuid(id) ? id : null, name }
}
