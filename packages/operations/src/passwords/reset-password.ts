import { DomainError } from '@troupe/contract'
import type { Actor, Database, PasswordReset, Readers, UserRecord } from '@troupe/storage'
import { ExpiredLinkError } from '../access/expired-link-error.ts'
import { hashLinkToken, mayBeLinkToken } from '../access/link-token.ts'

/** The user of a reset link. */
export type PasswordResetUser = UserRecord & Omit<PasswordReset, 'userId'>

/**
 * The user of the reset with this token. Reading it does not use it up.
 *
 * @throws DomainError `password_reset_not_found`, the same for unknown, used and replaced tokens; as an `ExpiredLinkError` for one
 *   that has expired
 */
export async function findPasswordReset(
  { read, now }: { read: Pick<Readers, 'users'>; now: () => number },
  token: string,
): Promise<PasswordResetUser> {
  const found = mayBeLinkToken(token) ? await read.users.resetByTokenHash(hashLinkToken(token)) : null
  if (!found) throw resetGone()
  if (found.expiresAt.getTime() <= now()) {
    throw new ExpiredLinkError('password_reset_not_found', 'Please request a new one.', found.expiresAt)
  }
  return found
}

/**
 * Sets a new password and ends every session of the user. Of two concurrent uses of the link one wins. A mailed link
 * confirms the address, so the owner of a mailbox also takes over an account that somebody else created for it.
 *
 * @throws DomainError `password_reset_not_found`
 */
export async function resetPassword(
  { database, now }: { database: Pick<Database, 'transaction'>; now: () => number },
  token: string,
  passwordHash: string,
  from: Pick<Actor, 'ip' | 'requestId'>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    const user = await findPasswordReset({ read, now }, token)
    // The second caller finds no row, nor does the caller of a link that was replaced in the meantime.
    if (!(await write.users.takeReset(hashLinkToken(token)))) throw resetGone()
    await write.users.setPassword(user.id, passwordHash)
    if (user.mailed && !user.emailVerified) await write.users.update({ ...user, emailVerified: true })
    for (const organizationId of await read.members.organizationsOf(user.id)) {
      await write.audit.append({
        organizationId,
        projectId: null,
        actor: { kind: 'user', id: user.id, ...from },
        action: 'member.password_reset',
        entityKind: 'member',
        entityId: user.id,
        before: null,
        after: null,
      })
    }
  })
}

function resetGone(): DomainError {
  return new DomainError(
    'password_reset_not_found',
    'It was used, a newer one replaced it, or it is incomplete. Please request a new one.',
  )
}
