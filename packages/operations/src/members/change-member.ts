import {
  type ChangeMemberBody,
  DomainError,
  type IdText,
  type OrganizationId,
  parseId,
  UserId,
} from '@troupe/contract'
import type { Actor, Database, MemberRecord, Readers } from '@troupe/storage'
import { auditedMember, managingRole, requireOwnerFor, requireOwnerLeft } from './manage-members.ts'

/**
 * Changes a member's role, or suspends or reactivates the member, effective from the member's next request. A
 * suspended member remains signed in to other organizations.
 *
 * @throws DomainError `member_not_found` (also for members of other organizations only), `version_conflict`,
 * `forbidden`,
 * `last_owner`
 */
export async function changeMember(
  { database }: { database: Pick<Database, 'transaction'> },
  organizationId: OrganizationId,
  actor: Actor,
  userId: IdText<UserId>,
  body: ChangeMemberBody,
): Promise<MemberRecord> {
  return database.transaction(async ({ read, write }) => {
    // This lock prevents two owners from demoting each other concurrently, which would leave none.
    await write.organizations.lock(organizationId)
    const managing = await managingRole(read, organizationId, actor)
    const before = await findMember(read, organizationId, userId)
    requireExpected(before, body.expected)
    const after = { ...before, role: body.role ?? before.role, status: body.status ?? before.status }
    requireOwnerFor(managing, before.role, after.role)
    if (after.role === before.role && after.status === before.status) return before
    await requireOwnerLeft(read, before, after)
    await write.members.put(after)
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: 'member.updated',
      entityKind: 'member',
      entityId: before.userId,
      before: auditedMember(before),
      after: auditedMember(after),
    })
    return after
  })
}

/** @throws DomainError `version_conflict` */
function requireExpected(before: MemberRecord, expected: ChangeMemberBody['expected']): void {
  const { role = before.role, status = before.status } = expected ?? {}
  if (before.role === role && before.status === status) return
  throw new DomainError('version_conflict', 'Somebody has changed this member in the meantime.')
}

/** @throws DomainError `member_not_found` */
export async function findMember(
  { members }: Pick<Readers, 'members'>,
  organizationId: OrganizationId,
  userId: IdText<UserId>,
): Promise<MemberRecord> {
  const id = parseId(UserId, userId)
  const found = id && (await members.byId(organizationId, id))
  if (!found) throw new DomainError('member_not_found', 'Member not found in this organization.')
  return found
}
