import type { ApprovalRecord } from '@troupe/agents/ports'
import type { MemberRole } from '@troupe/contract'

/** A member who reads or decides an approval. */
export interface AskedMember {
  role: MemberRole
  email: string
}

/**
 * Which members an approval asks, for lists, counts, pages, decisions and notices: every member, except that members
 * with the role `reviewer` must have their address in the tool's `approval_notify`. Returns the address that must be
 * listed; null if none must.
 */
export function addressToName({ role, email }: AskedMember): string | null {
  return role === 'reviewer' ? email.toLowerCase() : null
}

/** Whether an approval asks a member: other members neither see nor decide it. The holder of its link may always decide. */
export function approvalAsks({ asks }: Pick<ApprovalRecord, 'asks'>, member: AskedMember): boolean {
  const address = addressToName(member)
  return address === null || asks.includes(address)
}
