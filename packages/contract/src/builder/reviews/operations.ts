import { type Static, type TSchema, Type } from 'typebox'
import {
  APPROVAL_STATUSES,
  Approval,
  ApprovalParams,
  ResolveApprovalBody,
  ResolvedApproval,
} from '../../approvals/approval.ts'
import { defineOperation } from '../../operation/operation.ts'
import { MEMBER_ROLES } from '../../permissions/permissions.ts'
import {
  DecidedReview,
  Review,
  ReviewDecisionBody,
  ReviewParams,
  reviewFilter,
} from '../../reviews/review.ts'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { ProjectId, ReviewId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { Page, pageQuery } from '../../schema/page.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const decided = Type.Optional(Type.Boolean({ description: 'true: only closed ones; false: only open ones.' }))

/** Common query and result of lists in the inbox: both can be read page by page while they change. */
const inboxQuery = {
  projectId: Type.Optional(Uuid<ProjectId>({ description: 'Only those of this project.' })),
  after: Type.Optional(
    Uuid<ReviewId>({ description: '`next` of the previous page; `page` is ignored with it.' }),
  ),
}
const InboxPage = <T extends TSchema>(item: T) =>
  Type.Object({
    ...Page(item).properties,
    next: Nullable(
      Uuid<ReviewId>({ description: 'Sent as `after` for the next page; null: this is the last one.' }),
    ),
  })

/** A review as a member sees it. */
export const MemberReview = Type.Object({
  ...Review.properties,
  projectId: Nullable(Uuid<ProjectId>()),
  reviewers: Type.Object({
    kind: Choice(['members', 'roles', 'users']),
    roles: Type.Array(Choice(MEMBER_ROLES)),
    userIds: Type.Array(Uuid<UserId>()),
  }),
  requireRejectComment: Type.Boolean(),
  isTest: Type.Boolean({ description: 'Of a test of the caller; invisible to others.' }),
  hasApproved: Type.Boolean({ description: 'The caller has approved it; it may wait for others.' }),
  obstacle: Nullable(
    Type.String({ description: 'Why the caller may not decide it, as far as known before deciding.' }),
  ),
})
export type MemberReview = Static<typeof MemberReview>

const ReviewVoteCast = Type.Object({
  name: Type.String(),
  isOwn: Type.Boolean({ description: 'The vote of the caller.' }),
  decision: Choice(['approve', 'reject']),
  comment: Nullable(Type.String()),
  changes: Type.Array(
    Type.Object({ name: Type.String(), label: Type.String(), from: Type.Unknown(), to: Type.Unknown() }),
    { description: 'The values that it changed, compared with the proposed ones.' },
  ),
  at: UnixSeconds(),
})

/** The run's proposal, and the decisions about it. */
export const reviewHistory = {
  proposed: OpenObject({
    description: 'The values that the run proposed, by field; `fields` has those of the last approval.',
  }),
  votes: Type.Array(ReviewVoteCast, {
    description: 'Oldest first; a review that needs several approvals is open until the last of them.',
  }),
}

/** A review with the earlier votes. */
const MemberReviewDetail = Type.Object({
  ...MemberReview.properties,
  revision: Type.String({ description: 'Of the proposed values; a decision names it.' }),
  ...reviewHistory,
})
export type MemberReviewDetail = Static<typeof MemberReviewDetail>

const reviewPath = `${ORGANIZATION_PATH}/reviews` as const
const shared = { tag: 'Reviews', access: 'builder', needs: 'decide' } as const
const reviewParams = Type.Object({ ...organizationParams, ...ReviewParams.properties })

export const listReviewsForBuilder = defineOperation({
  ...shared,
  id: 'listReviews',
  method: 'GET',
  path: reviewPath,
  summary: 'List reviews',
  description: 'A `reviewer` sees only reviews assigned to them.',
  params: Type.Object(organizationParams),
  query: Type.Object({
    ...pageQuery,
    ...inboxQuery,
    ...reviewFilter,
    decided,
    mine: Type.Optional(
      Type.Boolean({
        description:
          'Only reviews assigned to the caller; of the open ones, those that they have not approved with the current values.',
      }),
    ),
    sort: Type.Optional(
      Choice(['-createdAt', 'expiresAt'], {
        default: '-createdAt',
        description: '`expiresAt`: the earliest deadline first, reviews without one last.',
      }),
    ),
  }),
  success: { status: 200, description: 'One page of reviews.', body: InboxPage(MemberReview) },
  errors: ['validation_error'],
})

export const getReviewForBuilder = defineOperation({
  ...shared,
  id: 'getReview',
  method: 'GET',
  path: `${reviewPath}/{reviewId}`,
  summary: 'Get a review',
  params: reviewParams,
  success: { status: 200, description: 'The review.', body: MemberReviewDetail },
  errors: ['review_not_found'],
})

/** A decision by a member. */
export const MemberDecisionBody = Type.Object({
  ...ReviewDecisionBody.properties,
  revision: Type.String({
    maxLength: 100,
    description:
      '`revision` of the review as the member saw it. When another approval has changed the proposed values since, the answer is 409.',
  }),
})
export type MemberDecisionBody = Static<typeof MemberDecisionBody>

export const decideReviewForBuilder = defineOperation({
  ...shared,
  id: 'decideReview',
  method: 'POST',
  path: `${reviewPath}/{reviewId}/decision`,
  summary: 'Approve or reject',
  description: 'As the signed-in member; the operator cannot decide.',
  params: reviewParams,
  body: MemberDecisionBody,
  success: { status: 200, description: 'The decision is stored.', body: DecidedReview },
  errors: [
    'validation_error',
    'review_not_found',
    'not_a_reviewer',
    'review_already_decided',
    'version_conflict',
    'run_not_active',
  ],
})

/** An approval with its context. */
export const MemberApproval = Type.Object({
  ...Approval.properties,
  agentName: Type.String({ description: 'Empty: the agent is deleted.' }),
})
export type MemberApproval = Static<typeof MemberApproval>

const approvalPath = `${ORGANIZATION_PATH}/approvals` as const
const ofApprovals = { ...shared, tag: 'Approvals' } as const

export const listApprovalsForBuilder = defineOperation({
  ...ofApprovals,
  id: 'listApprovals',
  method: 'GET',
  path: approvalPath,
  summary: 'List approvals of tool calls',
  params: Type.Object(organizationParams),
  query: Type.Object({
    ...pageQuery,
    ...inboxQuery,
    status: Type.Optional(Choice(APPROVAL_STATUSES)),
    decided,
    sort: Type.Optional(
      Choice(['-createdAt', 'expiresAt'], {
        default: '-createdAt',
        description: '`expiresAt`: the earliest deadline first.',
      }),
    ),
  }),
  success: { status: 200, description: 'One page of approvals.', body: InboxPage(MemberApproval) },
  errors: ['validation_error'],
})

const approvalParams = Type.Object({ ...organizationParams, ...ApprovalParams.properties })

export const getApprovalForBuilder = defineOperation({
  ...ofApprovals,
  id: 'getApproval',
  method: 'GET',
  path: `${approvalPath}/{approvalId}`,
  summary: 'Get an approval of a tool call',
  params: approvalParams,
  success: { status: 200, description: 'The approval.', body: MemberApproval },
  errors: ['approval_not_found'],
})

export const resolveApprovalForBuilder = defineOperation({
  ...ofApprovals,
  id: 'resolveApproval',
  method: 'POST',
  path: `${approvalPath}/{approvalId}/resolve`,
  summary: 'Approve or reject a tool call',
  description: 'As the signed-in member; the operator cannot decide.',
  params: approvalParams,
  body: ResolveApprovalBody,
  success: { status: 200, description: 'The decision is stored.', body: ResolvedApproval },
  errors: ['validation_error', 'approval_not_found', 'not_a_reviewer', 'approval_already_resolved'],
})
