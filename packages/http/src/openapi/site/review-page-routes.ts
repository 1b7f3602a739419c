import { FOREIGN_ORIGIN, LIMITED, page, redirect, type SiteRoute } from './site-route.ts'

const TAG = 'Review pages'
const params = { reviewId: 'UUID of the review.' }
const approvalParams = { approvalId: 'UUID of the approval.' }
const uuid = { type: 'string', format: 'uuid' }

/** The inbox of reviewers and the page of one review. */
export const REVIEW_PAGE_ROUTES: readonly SiteRoute[] = [
  {
    id: 'openReviewInbox',
    method: 'get',
    path: '/reviews',
    tag: TAG,
    summary: 'Open the inbox of reviews and approvals',
    description: 'It needs no JavaScript. A parameter with another value counts as absent.',
    access: 'person',
    query: {
      status: {
        type: 'string',
        enum: ['open', 'approved', 'rejected', 'timeout', 'withdrawn', 'all'],
        default: 'open',
      },
      organizationId: uuid,
      workflowId: uuid,
      page: { type: 'integer', minimum: 1, default: 1 },
    },
    responses: {
      200: page('One page of reviews.'),
      303: redirect(
        'To the sign-in page; a member of one organization, without a parameter, to its inbox in the builder.',
      ),
    },
  },
  {
    id: 'openReviewPage',
    method: 'get',
    path: '/reviews/{reviewId}',
    tag: TAG,
    summary: 'Open a review, by its link or as a member',
    access: 'visitor',
    params,
    query: { token: { type: 'string', description: 'The secret of the link.' } },
    responses: {
      200: page('The review, or its decision.'),
      303: redirect('To the sign-in page: there is neither a token nor a session.'),
      401: page('The link is valid, but the review is for certain reviewers.'),
      404: page('Review not found for this visitor.'),
      429: page(LIMITED),
    },
  },
  {
    id: 'decideReviewPage',
    method: 'post',
    path: '/reviews/{reviewId}',
    tag: TAG,
    summary: 'Approve or reject on the page of a review',
    description: 'The values of the fields are named `data.<field>`.',
    access: 'visitor',
    params,
    form: {
      token: { type: 'string', description: 'The secret of the link; absent for members.' },
      decision: { type: 'string', enum: ['approve', 'reject'] },
      comment: { type: 'string', maxLength: 2_000 },
      name: { type: 'string', maxLength: 100, description: 'For visitors without a session.' },
    },
    responses: {
      303: redirect('To the decided review, or to the sign-in page.'),
      400: page('The review again, with its errors.'),
      401: page('The link is valid, but the review is for certain reviewers.'),
      403: page('The visitor is not a reviewer, or the request does not come from a page of this server.'),
      404: page('Review not found for this visitor.'),
      409: page('The review is already decided; the page shows how.'),
      429: page(LIMITED),
    },
  },
  {
    id: 'openApprovalPage',
    method: 'get',
    path: '/approvals/{approvalId}',
    tag: TAG,
    summary: 'Open the approval of a tool call',
    access: 'person',
    params: approvalParams,
    responses: {
      200: page('The call, or how it was decided.'),
      303: redirect('To the sign-in page.'),
      404: page('Approval not found in the organizations of the person.'),
      429: page(LIMITED),
    },
  },
  {
    id: 'resolveApprovalPage',
    method: 'post',
    path: '/approvals/{approvalId}',
    tag: TAG,
    summary: 'Approve or reject a tool call on its page',
    access: 'person',
    params: approvalParams,
    form: {
      decision: { type: 'string', enum: ['approve', 'reject'] },
      reason: { type: 'string', maxLength: 2_000 },
    },
    responses: {
      303: redirect('To the decided approval, or to the sign-in page.'),
      400: page('There is no decision, or the reason is too long.'),
      403: FOREIGN_ORIGIN,
      404: page('Approval not found in the organizations of the person.'),
      409: page('The approval is already decided; the page shows how.'),
      429: page(LIMITED),
    },
  },
]
