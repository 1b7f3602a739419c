import type { ApprovalId } from '@troupe/contract'
import type { ApprovalLinks, ApprovalVerdict, NewApproval } from '../ports/approvals.ts'
import { sourceOf } from '../run/acting-agent.ts'
import type { CallToApprove, RunOutput } from '../run/run-context.ts'

/** Emits events, each once over all turns of a job. */
type Shown = Pick<RunOutput, 'announcer'>

/** The row of a call, which expires `waitSeconds` from `now` (milliseconds since the epoch). */
export function newApproval(
  call: CallToApprove,
  approvalId: ApprovalId,
  { now, waitSeconds, links }: { now: number; waitSeconds: number; links: ApprovalLinks },
): NewApproval {
  const { stepKey, actor, toolCallId, toolName, args, argsHash, emails } = call
  const expiresAt = now + waitSeconds * 1000
  const notice = emails.length === 0 ? null : { emails, link: links.mint(approvalId) }
  const { agentId } = actor
  if (agentId === null) throw new TypeError('A managed lead has no tools of its own.')
  const asks = [...new Set(emails.map((email) => email.toLowerCase()))]
  return { approvalId, stepKey, agentId, toolCallId, toolName, args, argsHash, expiresAt, asks, notice }
}

export function showRequired({ announcer }: Shown, { actor }: CallToApprove, approval: NewApproval): void {
  const { approvalId, toolCallId, toolName, args, expiresAt } = approval
  const names = { source: sourceOf(actor), approvalId, toolCallId, toolName }
  announcer.tell('ToolApprovalRequired', {
    ...names,
    args: { ...args },
    expiresAt: Math.ceil(expiresAt / 1000),
  })
}

export function showResolved(
  { announcer }: Shown,
  { actor, toolCallId, toolName }: CallToApprove,
  approvalId: ApprovalId,
  { status, reason }: ApprovalVerdict,
): void {
  const names = { source: sourceOf(actor), approvalId, toolCallId, toolName }
  announcer.tell('ToolApprovalResolved', { ...names, decision: status, reason })
}
