import { auditedMember } from '@troupe/operations/members/manage-members'
import type { Actor, Transaction } from '@troupe/storage'
import type { MemberStep } from '../plan/plan-members.ts'

/** Writes a member, and the account if the bundle may change it. */
export async function writeMember({ write }: Transaction, step: MemberStep, actor: Actor): Promise<void> {
  const { before, after, account } = step
  const { organizationId, userId: id, name, email } = after
  // The operator vouches for the addresses of a bundle, so they count as verified.
  if (account.kind === 'create') {
    const { passwordHash } = account
    await write.users.insert({ id, name, email, emailVerified: true, passwordHash })
  }
  if (account.kind === 'update') {
    await write.users.update({ id, name, emailVerified: true })
    if (account.passwordHash !== null) await write.users.setPassword(id, account.passwordHash)
  }
  await write.members.put(after)
  await write.audit.append({
    organizationId,
    projectId: null,
    actor,
    action: `member.${before === null ? 'created' : 'updated'}`,
    entityKind: 'member',
    entityId: id,
    before: before && auditedMember(before),
    after: {
      ...auditedMember(after),
      ...(account.kind === 'update' && account.passwordHash !== null ? { passwordChanged: true } : {}),
    },
  })
}
