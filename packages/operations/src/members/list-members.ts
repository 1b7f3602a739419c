import { roleHas } from '@troupe/contract'
import type { Invitation, Member } from '@troupe/contract/builder'
import type { InvitationRecord, MemberRecord, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** Members by name and invitations, newest first; addresses only for those who may manage. */
export async function listMembersAndInvitations(
  read: Pick<Readers, 'members' | 'invitations'>,
  { organizationId, role }: BuilderCaller,
): Promise<{ members: Member[]; invitations: Invitation[] }> {
  const members = await read.members.list(organizationId)
  const invitations = await read.invitations.list(organizationId)
  const seesAddresses = roleHas(role, 'manage')
  return {
    members: members.map((one) => presentMember(one, seesAddresses)),
    invitations: invitations.map((one) => presentInvitation(one, seesAddresses)),
  }
}

/** A member as the builder shows them. */
export function presentMember(
  { userId, name, email, role, status, createdAt }: MemberRecord,
  seesAddresses: boolean,
): Member {
  return {
    userId,
    name,
    email: seesAddresses ? email : null,
    role,
    status,
    createdAt: createdAt.toISOString(),
  }
}

/** An invitation as the builder shows it. */
export function presentInvitation(
  { id: invitationId, email, role, mailed, createdAt, expiresAt }: InvitationRecord,
  seesAddresses: boolean,
): Invitation {
  return {
    invitationId,
    email: seesAddresses ? email : null,
    role,
    mailed,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
