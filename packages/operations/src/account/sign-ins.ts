import { DomainError, type IdText, parseId, SignInRowId, type UserId } from '@troupe/contract'
import type { SignInPlace } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'

/** A signed-in person, and the session of the request. */
interface SignedIn {
  userId: UserId
  sessionId: SignInRowId
}

/**
 * Sign-in sessions of a person, newest first.
 *
 * @param deviceName describes the browser of a `User-Agent`; null: unknown
 */
export async function listSignIns(
  { read }: Pick<Database, 'read'>,
  { userId, sessionId }: SignedIn,
  deviceName: (userAgent: string | null) => string | null,
): Promise<{ data: SignInPlace[] }> {
  const rows = await read.builder.organizations.signIns(userId)
  return {
    data: rows.map(({ id, ip, userAgent, createdAt, expiresAt }) => ({
      signInId: id,
      ip,
      userAgent,
      browser: deviceName(userAgent),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      isCurrent: id === sessionId,
    })),
  }
}

/**
 * Ends a sign-in of the person, in every process.
 *
 * @throws DomainError `sign_in_not_found`, including for sign-ins of other people
 */
export async function endSignIn(
  { signIn }: Pick<Database, 'signIn'>,
  { userId }: SignedIn,
  signInId: IdText<SignInRowId>,
): Promise<null> {
  const id = parseId(SignInRowId, signInId)
  const own = { field: 'userId', operator: 'eq', value: userId, connector: 'AND' } as const
  const deleted = id
    ? await signIn.delete('session', [own, { field: 'id', operator: 'eq', value: id, connector: 'AND' }])
    : []
  if (deleted.length === 0) throw new DomainError('sign_in_not_found', 'Sign-in not found.')
  return null
}
