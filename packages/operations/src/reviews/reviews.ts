import {
  checkedId,
  type DecidedReview,
  type IdText,
  MEMBER_ROLES,
  type ProjectId,
  parseId,
  type QueryOf,
  type ResultOf,
  ReviewId,
  WorkflowId,
} from '@troupe/contract'
import type {
  BUILDER_OPERATIONS,
  MemberDecisionBody,
  MemberReview,
  MemberReviewDetail,
} from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { valuesOfRun, withChanges } from '@troupe/workflows'
import type { CastVote, ReviewRecord, ReviewScope, ReviewStore } from '@troupe/workflows/ports'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { DecisionParts } from '../decisions/decide-within.ts'
import { decideReview } from './decide-review.ts'
import { inProject, nextInInbox } from './inbox-page.ts'
import { memberReviewer } from './member-reviewer.ts'
import { presentReview } from './present-review.ts'
import { proposalRevision } from './proposal-revision.ts'
import { reviewNotFound } from './review-errors.ts'
import { reviewerObstacle } from './reviewer.ts'

type ListReviews = (typeof BUILDER_OPERATIONS)['listReviews']

/** Whether a list is restricted: a `reviewer` sees only reviews that are assigned to them, other members see all. */
const isNarrow = ({ role }: BuilderCaller) => role === 'reviewer'

/** Reviews of tests are visible to the person who runs the test. */
const asTester = ({ organizationId, projectId, userId }: BuilderCaller): ReviewScope => ({
  organizationId,
  projectId,
  testerId: userId,
})

/** One page of reviews. */
export async function listMemberReviews(
  { reviews }: Pick<Database, 'reviews'>,
  caller: BuilderCaller,
  {
    page = 1,
    limit = 20,
    status = null,
    decided = null,
    workflowId = null,
    mine = false,
    projectId = null,
    after = null,
    sort,
  }: ReviewsQuery,
): Promise<ResultOf<ListReviews>> {
  const { userId, role, organizationId } = caller
  const scope = { ...inProject(organizationId, projectId), testerId: userId }
  const { rows, total } = await reviews.page(scope, {
    ...{ status, isDecided: decided, page, limit },
    workflowId: workflowId === null ? null : checkedId(WorkflowId, workflowId),
    after: after === null ? null : checkedId(ReviewId, after),
    asks: mine || isNarrow(caller) ? { userId, role } : null,
    unapprovedBy: mine ? voterIn(caller) : null,
    ...(sort === 'expiresAt' && { order: 'deadline' }),
  })
  const next = nextInInbox(
    rows.map(({ reviewId }) => reviewId),
    { limit, total, after },
  )
  const approved = await approvedOf(reviews, caller, rows)
  const data = rows.map((review) => presentMemberReview(review, caller, approved.has(review.reviewId)))
  return { data, total, page, limit, next }
}

/** The caller's key in votes; null for the operator. */
const voterIn = ({ userId }: BuilderCaller) => (userId === null ? null : `user:${userId}`)

/** The reviews that the caller has approved. */
async function approvedOf(
  reviews: Pick<ReviewStore, 'approvedBy'>,
  caller: BuilderCaller,
  rows: readonly ReviewRecord[],
): Promise<ReadonlySet<string>> {
  const voter = voterIn(caller)
  // Only reviews that need several approvals stay open after an approval.
  const ids = rows.filter(({ approvals }) => approvals > 0).map(({ reviewId }) => reviewId)
  return voter === null || ids.length === 0 ? new Set() : reviews.approvedBy(voter, ids)
}

type Query = QueryOf<ListReviews>
type ReviewsQuery = Omit<Query, 'status' | 'decided' | 'workflowId' | 'projectId' | 'after'> & {
  projectId?: IdText<ProjectId> | null
  after?: IdText<ReviewId> | null
  decided?: boolean | null
  status?: Query['status'] | null
  workflowId?: Query['workflowId'] | null
}

/** @throws DomainError `review_not_found`, even if the caller may only see reviews that ask them */
export async function getMemberReview(
  { reviews }: Pick<Database, 'reviews'>,
  caller: BuilderCaller,
  reviewId: IdText<ReviewId>,
): Promise<MemberReviewDetail> {
  const id = parseId(ReviewId, reviewId)
  const found = id && (await reviews.find(asTester(caller), id))
  if (!found) throw reviewNotFound()
  const cast = (await reviews.votes([id])).get(id) ?? []
  const votes = presentVotes(found, cast, caller)
  const hasApproved = votes.some(({ isOwn, decision }) => isOwn && decision === 'approve')
  const review = presentMemberReview(found, caller, hasApproved)
  if (isNarrow(caller) && review.obstacle !== null) throw reviewNotFound()
  return {
    ...review,
    revision: proposalRevision(review.fields),
    proposed: valuesOfRun(found.fields),
    votes,
  }
}

/** The votes on a review, with the changes of each. */
export function presentVotes(
  { fields }: Pick<ReviewRecord, 'fields'>,
  votes: readonly CastVote[],
  caller: BuilderCaller,
): MemberReviewDetail['votes'] {
  return withChanges(fields, votes).map(({ voter, name, decision, comment, at, changes }) => ({
    ...{ name, decision, comment, changes },
    isOwn: voter === voterIn(caller),
    at: Math.floor(at / 1000),
  }))
}

/** Decides as the signed-in member. @throws DomainError as {@link decideReview} */
export async function decideMemberReview(
  { database, send }: DecisionParts & { database: Pick<Database, 'reviews'> },
  caller: BuilderCaller,
  reviewId: IdText<ReviewId>,
  { revision, ...body }: MemberDecisionBody,
): Promise<DecidedReview> {
  if (isNarrow(caller)) await getMemberReview(database, caller, reviewId)
  const { actor } = caller
  const reviewer: Parameters<typeof decideReview>[1]['reviewer'] = (read) => memberReviewer(read, caller)
  return decideReview(
    { database, send },
    { scope: asTester(caller), reviewId, actor, body, revision, reviewer },
  )
}

function presentMemberReview(
  review: ReviewRecord,
  { userId, role }: BuilderCaller,
  hasApproved: boolean,
): MemberReview {
  const { reviewers, projectId, requireRejectComment } = review
  const { kind, roles, userIds } = reviewers
  const named = MEMBER_ROLES.filter((one) => roles.includes(one))
  return {
    ...presentReview(review),
    projectId,
    requireRejectComment,
    isTest: review.isTest,
    hasApproved,
    reviewers: { kind, roles: named, userIds: [...userIds] },
    obstacle:
      userId === null
        ? 'Only a signed-in member can decide a review.'
        : reviewerObstacle(review, { type: 'user', id: userId, name: '', role }),
  }
}
