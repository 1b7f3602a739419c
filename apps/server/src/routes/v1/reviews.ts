import { checkedId, OPERATIONS, WorkflowId } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { decideReview } from '@troupe/operations/reviews/decide-review'
import { getReview, listReviews, listWorkflowJobReviews } from '@troupe/operations/reviews/read-reviews'
import { keyReviewer } from '@troupe/operations/reviews/reviewer'
import type { Database } from '@troupe/storage'
import type { Workflows } from '../../wiring/create-workflows.ts'

/** Dependencies of the review routes. */
export interface ReviewRoutes {
  workflows: Pick<Workflows, 'send'>
  database: Pick<Database, 'reviews' | 'transaction'>
}

/** Registers the routes by which API clients read and decide reviews. */
export function registerReviews(app: App, { workflows, database }: ReviewRoutes): void {
  const store = database.reviews
  const pageOf = ({ page = 1, limit = 20 }: { page?: number; limit?: number }) => ({ page, limit })

  registerOperation(app, OPERATIONS.listReviews, async ({ principal, query }) =>
    listReviews(store, principal, {
      status: query.status ?? null,
      workflowId: query.workflowId === undefined ? null : checkedId(WorkflowId, query.workflowId),
      ...pageOf(query),
    }),
  )
  registerOperation(app, OPERATIONS.getReview, async ({ principal, params }) =>
    getReview(store, principal, params.reviewId),
  )
  registerOperation(app, OPERATIONS.listWorkflowJobReviews, async ({ principal, params, query }) =>
    listWorkflowJobReviews(store, principal, params.jobId, pageOf(query)),
  )
  registerOperation(app, OPERATIONS.decideReview, async ({ principal, params, body, actor }) =>
    decideReview(
      { database, send: workflows.send },
      {
        scope: principal,
        reviewId: params.reviewId,
        actor,
        body,
        revision: null,
        reviewer: (read) => keyReviewer(read, principal),
      },
    ),
  )
}
