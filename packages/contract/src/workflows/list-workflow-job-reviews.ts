import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Review } from '../reviews/review.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { WorkflowJobParams } from './workflow-run.ts'

export const listWorkflowJobReviewsOperation = defineOperation({
  id: 'listWorkflowJobReviews',
  method: 'GET',
  path: '/api/v1/workflow-jobs/{jobId}/reviews',
  tag: 'Reviews',
  summary: 'List the reviews of a run',
  access: 'api_key',
  params: WorkflowJobParams,
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of reviews, oldest first.', body: Page(Review) },
  errors: ['validation_error', 'job_not_found'],
})
