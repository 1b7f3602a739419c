import type { ApprovalRecord } from '@troupe/agents/ports'
import type { MemberRole } from '@troupe/contract'

/** A member who reads or decides an approval. */
export interface AskedMember {
  role: MemberRole
  email: string
}

/**
 * The rule for whom approvals ask, for lists, counts, pages, decisions and notices: every member, but of those with the
 * role `reviewer` only the addresses in the tool's `approval_notify`. Returns the address that must be listed; null if
 * none must.
 */
export function addressToName({ role, email }: AskedMember): string | null {
  return role === 'reviewer' ? email.toLowerCase() : null
}

/** Whether an approval asks a member: other members neither see nor decide it. The holder of its link may always decide. */
export function approvalAsks({ asks }: Pick<ApprovalRecord, 'asks'>, member: AskedMember): boolean {
  const address = addressToName(member)
  return address === null || asks.includes(address)
}
