import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { listApprovals } from '@troupe/operations/approvals/list-approvals'
import { resolveApproval } from '@troupe/operations/approvals/resolve-approval'
import { keyReviewer } from '@troupe/operations/reviews/reviewer'
import type { Database } from '@troupe/storage'
import type { Runs } from '../../wiring/create-runs.ts'

/** Dependencies of the routes of approvals. */
export interface ApprovalRoutes {
  runs: Pick<Runs, 'send'>
  database: Pick<Database, 'approvals' | 'transaction'>
}

/** Registers the routes by which API clients read and decide approvals of tool calls. */
export function registerApprovals(app: App, { runs, database }: ApprovalRoutes): void {
  registerOperation(app, OPERATIONS.listApprovals, async ({ principal, query }) => {
    const { status = null, page = 1, limit = 20 } = query
    return listApprovals(database.approvals, principal, { status, page, limit })
  })
  registerOperation(app, OPERATIONS.resolveApproval, async ({ principal, params, body, actor }) =>
    resolveApproval(
      { database, send: runs.send },
      {
        scope: principal,
        approvalId: params.approvalId,
        by: (read) => keyReviewer(read, principal),
        actor,
        body,
      },
    ),
  )
}
