import type { ApprovalRecord } from '@troupe/agents/ports'
import type { BUILDER_OPERATIONS, MemberApproval } from '@troupe/builder-contract'
import {
  isUuid,
  oneLine,
  type QueryOf,
  type ResolveApprovalBody,
  type ResolvedApproval,
  type ResultOf,
} from '@troupe/contract'
import type { Database } from '@troupe/database'
import { approvalNotFound } from '@troupe/operations/approvals/approval-errors'
import { presentApproval } from '@troupe/operations/approvals/present-approval'
import { type ResolveApprovalParts, resolveApproval } from '@troupe/operations/approvals/resolve-approval'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { inProject, nextInInbox } from './inbox-page.ts'
import { memberReviewer } from './member-reviewer.ts'

type ListApprovals = (typeof BUILDER_OPERATIONS)['listApprovals']

/** One page of approvals of tool calls, newest first; each asks every member. */
export async function listMemberApprovals(
  { approvals }: Pick<Database, 'approvals'>,
  caller: BuilderCaller,
  { page = 1, limit = 20, projectId = null, after = null, sort, ...query }: ApprovalsQuery,
): Promise<ResultOf<ListApprovals>> {
  const { decided } = query
  const asked = decided === undefined ? null : decided ? 'decided' : 'pending'
  const status = query.status ?? asked
  const { rows, total } = await approvals.page(inProject(caller.organizationId, projectId), {
    ...{ status, page, limit, after },
    ...(sort === 'expiresAt' && { order: 'deadline' }),
  })
  const data = rows.map(present)
  const next = nextInInbox(
    rows.map(({ approvalId }) => approvalId),
    { limit, total, after },
  )
  return { data, total, page, limit, next }
}

/** One approval; each asks every member. @throws DomainError `approval_not_found` */
export async function getMemberApproval(
  { approvals }: Pick<Database, 'approvals'>,
  { organizationId }: BuilderCaller,
  approvalId: string,
): Promise<MemberApproval> {
  const found = isUuid(approvalId) ? await approvals.find(organizationId, approvalId) : null
  if (!found) throw approvalNotFound()
  return present(found)
}

function present(approval: ApprovalRecord): MemberApproval {
  return { ...presentApproval(approval), agentName: oneLine(approval.agentName) }
}

type Query = QueryOf<ListApprovals>
type ApprovalsQuery = Omit<Query, 'projectId' | 'after'> & {
  projectId?: string | null
  after?: string | null
}

/** Decides as the signed-in member. @throws DomainError as {@link resolveApproval}, `not_a_reviewer` */
export async function resolveMemberApproval(
  parts: ResolveApprovalParts,
  caller: BuilderCaller,
  approvalId: string,
  body: ResolveApprovalBody,
): Promise<ResolvedApproval> {
  const { actor } = caller
  const by: Parameters<typeof resolveApproval>[1]['by'] = async (read) => {
    const { type, id, name } = await memberReviewer(read, caller)
    return { type, id, name }
  }
  return resolveApproval(parts, { scope: caller, approvalId, by, actor, body })
}
