import type { ApprovalRecord, Scope } from '@troupe/agents/ports'
import {
  ApprovalId,
  DomainError,
  type IdText,
  parseId,
  type ResolveApprovalBody,
  type ResolvedApproval,
  type ReviewActor,
} from '@troupe/contract'
import type { Actor, Transaction } from '@troupe/storage'
import { type DecisionOutcome, type DecisionParts, decideWithin } from '../decisions/decide-within.ts'
import { approvalNotFound, approvalText } from './approval-errors.ts'
import { type AskedMember, approvalAsks } from './asked-members.ts'

/** A person's or a program's decision on a call. */
export interface ApprovalCall {
  scope: Scope
  approvalId: IdText<ApprovalId>
  /** Loads the decider within the transaction; called once. */
  by: (read: Transaction['read']) => Promise<ReviewActor>
  /** Loads the deciding member; absent for API keys and for the holder of the approval's link. */
  member?: (read: Transaction['read']) => Promise<AskedMember>
  actor: Actor
  body: ResolveApprovalBody
}

type Outcome = DecisionOutcome<ResolvedApproval>

const shown = ({ approvalId, runId }: ApprovalRecord, status: ApprovalRecord['status']) => ({
  approvalId,
  runId,
  status,
})

/**
 * Decides an approval under the lock of its run, which every park, claim and end of the run takes too:
 *
 * - Of two decisions the first counts. The second finds its status: an equal decision gets the same response, a
 *   different one a conflict.
 * - Against a deadline, the first change of the row counts. An expiry wakes the job like a decision.
 * - Against a cancel or another end: after it, the approval counts as expired; before it, the decision is kept, and the
 *   call may have been made before the cancel.
 * - Against a park: see `storage/runs/jobs/park-job.ts`.
 *
 * @throws DomainError `approval_not_found`, including for a member who is not asked, `forbidden` (another project),
 * `approval_already_resolved`
 */
export function resolveApproval(parts: DecisionParts, call: ApprovalCall): Promise<ResolvedApproval> {
  return decideWithin(parts, parseId(ApprovalId, call.approvalId), approvalNotFound, (tx, approvalId) =>
    resolveWithin(tx, call, approvalId),
  )
}

async function resolveWithin(tx: Transaction, call: ApprovalCall, approvalId: ApprovalId): Promise<Outcome> {
  const { organizationId, projectId } = call.scope
  const approval = await tx.approvals.lock(organizationId, approvalId)
  if (!approval) throw approvalNotFound()
  if (projectId !== null && approval.projectId !== projectId) {
    throw new DomainError('forbidden', 'The approval does not belong to the project of this API key.')
  }
  if (call.member && !approvalAsks(approval, await call.member(tx.read))) throw approvalNotFound()
  const status = call.body.decision === 'approve' ? 'approved' : 'denied'
  if (approval.status === status) return { decided: shown(approval, status), delivery: null }
  if (approval.status === 'pending') return decide(tx, call, approval, status)
  const refusal = new DomainError('approval_already_resolved', approvalText(approval))
  if (approval.status !== 'expired') return { refusal, delivery: null }
  const { reason } = approval
  return {
    refusal,
    delivery: await tx.approvals.settle(approval, { status: 'expired', reason, resolvedBy: null }),
  }
}

async function decide(
  tx: Transaction,
  { actor, body, by }: ApprovalCall,
  approval: ApprovalRecord,
  status: 'approved' | 'denied',
): Promise<Outcome> {
  const { approvalId, organizationId, projectId, runId, toolName, toolCallId } = approval
  const reason = body.reason?.trim() || null
  const resolvedBy = await by(tx.read)
  await tx.write.audit.append({
    organizationId,
    projectId,
    actor,
    action: `approval.${status}`,
    entityKind: 'approval',
    entityId: approvalId,
    before: null,
    after: { runId, toolName, toolCallId, by: resolvedBy, reason },
  })
  const delivery = await tx.approvals.settle(approval, { status, reason, resolvedBy })
  return { decided: shown(approval, status), delivery }
}
