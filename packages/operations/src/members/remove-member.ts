import type { IdText, OrganizationId, UserId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { findMember } from './change-member.ts'
import { auditedMember, managingRole, requireOwnerFor, requireOwnerLeft } from './manage-members.ts'

/**
 * Removes a member from an organization. The account is kept: it may belong to other organizations, and past
 * actions still show its name.
 *
 * @throws DomainError `member_not_found` (also for members of other organizations only), `forbidden`, `last_owner`
 */
export async function removeMember(
  { database }: { database: Pick<Database, 'transaction'> },
  organizationId: OrganizationId,
  actor: Actor,
  userId: IdText<UserId>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const managing = await managingRole(read, organizationId, actor)
    const before = await findMember(read, organizationId, userId)
    requireOwnerFor(managing, before.role)
    await requireOwnerLeft(read, before, null)
    await write.members.delete(organizationId, before.userId)
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: 'member.removed',
      entityKind: 'member',
      entityId: before.userId,
      before: auditedMember(before),
      after: null,
    })
  })
}
