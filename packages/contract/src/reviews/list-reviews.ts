import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { Review, reviewFilter } from './review.ts'

export const listReviewsOperation = defineOperation({
  id: 'listReviews',
  method: 'GET',
  path: '/api/v1/reviews',
  tag: 'Reviews',
  summary: 'List reviews',
  access: 'api_key',
  query: Type.Object({ ...pageQuery, ...reviewFilter }),
  success: { status: 200, description: 'One page of reviews, newest first.', body: Page(Review) },
  errors: ['validation_error'],
})
