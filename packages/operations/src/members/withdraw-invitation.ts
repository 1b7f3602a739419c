import { DomainError, type IdText, type InvitationId, isUuid, type OrganizationId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { managingRole, requireOwnerFor } from './manage-members.ts'

/**
 * Withdraws an invitation, which invalidates its link.
 *
 * @throws DomainError `invitation_not_found` (also for ids of other organizations, and once it was accepted), `forbidden`
 */
export async function withdrawInvitation(
  { database }: { database: Pick<Database, 'transaction'> },
  organizationId: OrganizationId,
  actor: Actor,
  invitationId: IdText<InvitationId>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const managing = await managingRole(read, organizationId, actor)
    const id = isUuid(invitationId) ? invitationId.toLowerCase() : null
    const before = (await read.invitations.list(organizationId)).find((one) => one.id === id)
    if (!before) throw new DomainError('invitation_not_found', 'Invitation not found.')
    requireOwnerFor(managing, before.role)
    await write.invitations.take(organizationId, before.id)
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: 'member.invitation_withdrawn',
      entityKind: 'invitation',
      entityId: before.id,
      before: { email: before.email, role: before.role },
      after: null,
    })
  })
}
