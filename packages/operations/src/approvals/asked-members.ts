import type { ApprovalRecord } from '@troupe/agents/ports'
import type { MemberRole } from '@troupe/contract'

/** A member before an approval. */
export interface AskedMember {
  role: MemberRole
  email: string
}

/**
 * Whom approvals ask, in one place for lists, counts, pages, decisions and notices: every member, but of those with the
 * role `reviewer` only whom the tool names in `approval_notify`. The address that must be named; null: nobody needs to.
 */
export function addressToName({ role, email }: AskedMember): string | null {
  return role === 'reviewer' ? email.toLowerCase() : null
}

/** Whether an approval asks a member: others see and decide nothing of it. The holder of its link is asked in any case. */
export function approvalAsks({ asks }: Pick<ApprovalRecord, 'asks'>, member: AskedMember): boolean {
  const address = addressToName(member)
  return address === null || asks.includes(address)
}
