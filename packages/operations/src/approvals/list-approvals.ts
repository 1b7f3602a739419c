import type { ApprovalFilter, ApprovalStore, Scope } from '@troupe/agents/ports'
import type { Approval } from '@troupe/contract'
import { presentApproval } from './present-approval.ts'

/** One page of the approvals that the scope may see, newest first. */
export async function listApprovals(
  store: Pick<ApprovalStore, 'page'>,
  scope: Scope,
  filter: ApprovalFilter,
): Promise<{ data: Approval[]; total: number; page: number; limit: number }> {
  const { rows, total } = await store.page(scope, filter)
  return { data: rows.map(presentApproval), total, page: filter.page, limit: filter.limit }
}
