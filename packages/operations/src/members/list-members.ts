import type { OrganizationId } from '@troupe/contract'
import type { InvitationRecord, MemberRecord, Readers } from '@troupe/database'

/** Everybody who belongs to an organization, by name, and whom it has invited, newest first; expired ones too. */
export async function listMembers(
  { members, invitations }: Pick<Readers, 'members' | 'invitations'>,
  organizationId: OrganizationId,
): Promise<{ members: MemberRecord[]; invitations: InvitationRecord[] }> {
  return {
    members: await members.list(organizationId),
    invitations: await invitations.list(organizationId),
  }
}
