import { defineOperation } from '../operation/operation.ts'
import { Review, ReviewParams } from './review.ts'

export const getReviewOperation = defineOperation({
  id: 'getReview',
  method: 'GET',
  path: '/api/v1/reviews/{reviewId}',
  tag: 'Reviews',
  summary: 'Get a review',
  access: 'api_key',
  params: ReviewParams,
  success: { status: 200, description: 'The review.', body: Review },
  errors: ['review_not_found'],
})
