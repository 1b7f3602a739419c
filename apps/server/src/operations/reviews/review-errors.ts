import { DomainError } from '@troupe/contract'
import type { ReviewRecord } from '@troupe/runtime/ports'
import { presentStanding } from './present-review.ts'

/** The refusal of a review id: one text for unknown, foreign and malformed ids. */
export function reviewNotFound(): DomainError {
  return new DomainError('review_not_found', 'There is no such review.')
}

/** What became of a review that is not open, as a sentence. */
export function verdictText({ status, decision }: Pick<ReviewRecord, 'status' | 'decision'>): string {
  const by = decision ? ` by ${decision.by.name}` : ''
  switch (status) {
    case 'approved':
      return `The review was approved${by}.`
    case 'rejected':
      return `The review was rejected${by}.`
    case 'timeout':
      return 'The deadline of the review has passed.'
    case 'withdrawn':
      return 'The run of this review has ended; nobody is asked any more.'
    case 'open':
      return 'The review is open.'
    default:
      return status satisfies never
  }
}

/** The refusal of a decision that comes too late. */
export function alreadyDecided(review: ReviewRecord): DomainError {
  if (review.status === 'withdrawn') return new DomainError('run_not_active', verdictText(review))
  return new DomainError('review_already_decided', verdictText(review), { review: presentStanding(review) })
}
