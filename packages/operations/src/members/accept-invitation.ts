import { DomainError, type NewId, UserId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { findInvitation, invitationGone } from './find-invitation.ts'
import { auditedMember } from './manage-members.ts'

/** Dependencies of the operation. */
export interface AcceptInvitationParts {
  database: Pick<Database, 'transaction'>
  newId: NewId
  now: () => number
}

/** The accepting visitor: a new user with a chosen name and password, or the signed-in user. */
export type Acceptance =
  | { kind: 'new'; name: string; passwordHash: string }
  | { kind: 'person'; userId: UserId; email: string }

/**
 * Makes the invited user a member. Of two concurrent uses of the link one wins; the other finds no
 * invitation. A mailed link proves access to the mailbox, so it takes over an account of that address that was
 * never confirmed: name and password are replaced, and all its sessions end.
 *
 * @throws DomainError `invitation_not_found`, `account_exists` (a new user whose address already has an
 *   account that this link does not take over), `forbidden` (signed in with another address than the invited one)
 */
export async function acceptInvitation(
  { database, newId, now }: AcceptInvitationParts,
  token: string,
  acceptance: Acceptance,
  from: Pick<Actor, 'ip' | 'requestId'>,
): Promise<{ userId: UserId; email: string }> {
  return database.transaction(async ({ read, write }) => {
    const found = await findInvitation({ read, now }, token)
    const { id, organizationId, email, role, mailed, takesOver } = found
    await write.organizations.lock(organizationId)
    // The second caller finds no row.
    if (!(await write.invitations.take(organizationId, id))) throw invitationGone()
    const account = await read.users.byEmail(email)
    let userId: UserId
    if (acceptance.kind === 'new') {
      const { name, passwordHash } = acceptance
      if (account && !takesOver) throw accountExists(email)
      userId = account?.id ?? newId(UserId)
      if (account) {
        await write.users.update({ id: userId, name, emailVerified: true })
        await write.users.setPassword(userId, passwordHash)
      } else {
        await write.users
          .insert({ id: userId, name, email, emailVerified: mailed, passwordHash })
          .catch((error: { code?: unknown }) => {
            // Invitations from two organizations were accepted concurrently.
            throw error.code === '23505' ? accountExists(email) : error
          })
      }
    } else {
      if (!account || account.id !== acceptance.userId) {
        throw new DomainError('forbidden', `This invitation is for ${email}, not for ${acceptance.email}.`)
      }
      userId = account.id
      if (mailed && !account.emailVerified) await write.users.update({ ...account, emailVerified: true })
    }
    // A user who in the meantime became a member through a bundle keeps that role and status.
    if (!(await read.members.byId(organizationId, userId))) {
      await write.members.put({ organizationId, userId, role, status: 'active' })
    }
    await write.audit.append({
      organizationId,
      projectId: null,
      actor: { kind: 'user', id: userId, ...from },
      action: 'member.joined',
      entityKind: 'member',
      entityId: userId,
      before: null,
      after: auditedMember({ email, role, status: 'active' }),
    })
    return { userId, email }
  })
}

function accountExists(email: string): DomainError {
  return new DomainError('account_exists', `${email} has an account. Please sign in with it.`)
}
