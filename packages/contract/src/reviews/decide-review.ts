import { defineOperation } from '../operation/operation.ts'
import { DecidedReview, ReviewDecisionBody, ReviewParams } from './review.ts'

export const decideReviewOperation = defineOperation({
  id: 'decideReview',
  method: 'POST',
  path: '/api/v1/reviews/{reviewId}/decision',
  tag: 'Reviews',
  summary: 'Approve or reject',
  description:
    'The first decision is final; if the same caller repeats it with the same comment and data, the response is the same. If several approvals are required, the review stays `open` until the last of them, a different approval by the same caller is refused with 409, and the first rejection is final.',
  access: 'api_key',
  params: ReviewParams,
  body: ReviewDecisionBody,
  success: { status: 200, description: 'The decision is stored.', body: DecidedReview },
  errors: [
    'validation_error',
    'review_not_found',
    'not_a_reviewer',
    'review_already_decided',
    'run_not_active',
  ],
})
