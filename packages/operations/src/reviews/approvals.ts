import type { ApprovalRecord } from '@troupe/agents/ports'
import {
  ApprovalId,
  checkedId,
  type IdText,
  oneLine,
  type ProjectId,
  parseId,
  type QueryOf,
  type ResolveApprovalBody,
  type ResolvedApproval,
  type ResultOf,
} from '@troupe/contract'
import type { BUILDER_OPERATIONS, MemberApproval } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { approvalNotFound } from '../approvals/approval-errors.ts'
import { addressToName } from '../approvals/asked-members.ts'
import { presentApproval } from '../approvals/present-approval.ts'
import { resolveApproval } from '../approvals/resolve-approval.ts'
import type { DecisionParts } from '../decisions/decide-within.ts'
import { inProject, nextInInbox } from './inbox-page.ts'
import { memberReviewer } from './member-reviewer.ts'

type ListApprovals = (typeof BUILDER_OPERATIONS)['listApprovals']

/** The address that an approval must list to ask the caller; null: every approval asks them. */
async function addressOf(
  { read }: Pick<Database, 'read'>,
  { organizationId, userId, role }: BuilderCaller,
): Promise<string | null> {
  // Only a reviewer needs an address. The operator acts as an owner.
  if (role !== 'reviewer' || userId === null) return null
  const member = await read.members.byId(organizationId, userId)
  return addressToName({ role, email: member?.email ?? '' })
}

/** One page of the approvals that ask the caller, newest first. */
export async function listMemberApprovals(
  database: Pick<Database, 'approvals' | 'read'>,
  caller: BuilderCaller,
  { page = 1, limit = 20, projectId = null, after = null, sort, ...query }: ApprovalsQuery,
): Promise<ResultOf<ListApprovals>> {
  const { decided } = query
  const asked = decided === undefined ? null : decided ? 'decided' : 'pending'
  const status = query.status ?? asked
  const asks = await addressOf(database, caller)
  const { rows, total } = await database.approvals.page(inProject(caller.organizationId, projectId), {
    ...{ status, page, limit, asks },
    after: after === null ? null : checkedId(ApprovalId, after),
    ...(sort === 'expiresAt' && { order: 'deadline' }),
  })
  const data = rows.map(present)
  const next = nextInInbox(
    rows.map(({ approvalId }) => approvalId),
    { limit, total, after },
  )
  return { data, total, page, limit, next }
}

/** One approval. @throws DomainError `approval_not_found`, even when it does not ask the caller */
export async function getMemberApproval(
  database: Pick<Database, 'approvals' | 'read'>,
  caller: BuilderCaller,
  approvalId: IdText<ApprovalId>,
): Promise<MemberApproval> {
  const id = parseId(ApprovalId, approvalId)
  const found = id && (await database.approvals.find(caller.organizationId, id))
  const address = found && (await addressOf(database, caller))
  if (!found || (address !== null && !found.asks.includes(address))) throw approvalNotFound()
  return present(found)
}

function present(approval: ApprovalRecord): MemberApproval {
  return { ...presentApproval(approval), agentName: oneLine(approval.agentName) }
}

type Query = QueryOf<ListApprovals>
type ApprovalsQuery = Omit<Query, 'projectId' | 'after'> & {
  projectId?: IdText<ProjectId> | null
  after?: string | null
}

/** Decides as the signed-in member. @throws DomainError as {@link resolveApproval}, `not_a_reviewer` */
export async function resolveMemberApproval(
  parts: DecisionParts,
  caller: BuilderCaller,
  approvalId: IdText<ApprovalId>,
  body: ResolveApprovalBody,
): Promise<ResolvedApproval> {
  const { actor } = caller
  const by: Parameters<typeof resolveApproval>[1]['by'] = async (read) => {
    const { type, id, name } = await memberReviewer(read, caller)
    return { type, id, name }
  }
  // `by` refuses the operator, because only members decide.
  const member = async ({ members }: Parameters<typeof memberReviewer>[0]) => {
    const { userId, organizationId } = caller
    const found = userId === null ? null : await members.byId(organizationId, userId)
    return { role: found?.role ?? caller.role, email: found?.email ?? '' }
  }
  return resolveApproval(parts, { scope: caller, approvalId, by, member, actor, body })
}
