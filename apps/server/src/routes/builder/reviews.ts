import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import {
  getMemberApproval,
  listMemberApprovals,
  resolveMemberApproval,
} from '@troupe/operations/reviews/approvals'
import { decideMemberReview, getMemberReview, listMemberReviews } from '@troupe/operations/reviews/reviews'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type MemberReviewContext = Pick<Context, 'database' | 'workflows' | 'runs'>

/** Decisions of users: reviews of workflows and approvals of tool calls. */
export function registerMemberReviews(app: App, { database, workflows, runs }: MemberReviewContext): void {
  registerOperation(app, BUILDER_OPERATIONS.listReviews, ({ caller, query }) =>
    listMemberReviews(database, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getReview, ({ caller, params }) =>
    getMemberReview(database, caller, params.reviewId),
  )
  registerOperation(app, BUILDER_OPERATIONS.decideReview, ({ caller, params, body }) =>
    decideMemberReview({ database, send: workflows.send }, caller, params.reviewId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.listApprovals, ({ caller, query }) =>
    listMemberApprovals(database, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getApproval, ({ caller, params }) =>
    getMemberApproval(database, caller, params.approvalId),
  )
  registerOperation(app, BUILDER_OPERATIONS.resolveApproval, ({ caller, params, body }) =>
    resolveMemberApproval({ database, send: runs.send }, caller, params.approvalId, body),
  )
}
