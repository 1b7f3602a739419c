import { DomainError, type OrganizationId } from '@troupe/contract'
import type { InvitationRecord, Readers } from '@troupe/storage'
import { hashLinkToken, mayBeLinkToken } from '../access/link-token.ts'

/** Dependencies of the operation. */
export interface FindInvitationParts {
  read: Pick<Readers, 'invitations' | 'organizations' | 'users'>
  now: () => number
}

/** The parts of an invitation that a visitor with the link may see. */
export interface OpenInvitation extends Pick<InvitationRecord, 'id' | 'email' | 'role' | 'mailed'> {
  organizationId: OrganizationId
  organizationName: string
  /** Whether the address already has an account, with which the invited person must sign in. */
  hasAccount: boolean
  /** Whether this mailed link takes over the address's account, which was created through a manually shared link. */
  takesOver: boolean
}

/**
 * The invitation with this token.
 *
 * @throws DomainError `invitation_not_found`, the same for unknown, used, withdrawn and expired tokens
 */
export async function findInvitation(
  { read, now }: FindInvitationParts,
  token: string,
): Promise<OpenInvitation> {
  const found = mayBeLinkToken(token) ? await read.invitations.byTokenHash(hashLinkToken(token)) : null
  const organization =
    found && found.expiresAt.getTime() > now() ? await read.organizations.byId(found.organizationId) : null
  if (!found || !organization) throw invitationGone()
  const { id, organizationId, email, role, mailed } = found
  const account = await read.users.byEmail(email)
  const takesOver = account !== null && mailed && !account.emailVerified
  const organizationName = organization.name
  const hasAccount = account !== null && !takesOver
  return { id, organizationId, organizationName, email, role, mailed, hasAccount, takesOver }
}

/** One text for every reason of an invalid invitation. */
export function invitationGone(): DomainError {
  return new DomainError(
    'invitation_not_found',
    'This invitation is no longer valid. Please ask for a new one.',
  )
}
