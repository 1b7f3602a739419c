import type { OrganizationId } from '@troupe/contract'
import type { InvitationRecord, MemberRecord, Readers } from '@troupe/storage'

/** The members of an organization by name, and its invitations, newest first, including expired ones. */
export async function listMembers(
  { members, invitations }: Pick<Readers, 'members' | 'invitations'>,
  organizationId: OrganizationId,
): Promise<{ members: MemberRecord[]; invitations: InvitationRecord[] }> {
  return {
    members: await members.list(organizationId),
    invitations: await invitations.list(organizationId),
  }
}
