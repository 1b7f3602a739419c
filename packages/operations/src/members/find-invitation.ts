import { DomainError, type OrganizationId } from '@troupe/contract'
import type { InvitationRecord, Readers } from '@troupe/storage'
import { ExpiredLinkError } from '../access/expired-link-error.ts'
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
 * @throws DomainError `invitation_not_found`, the same for unknown, used, replaced and withdrawn tokens; as an `ExpiredLinkError` for
 *   one that has expired
 */
export async function findInvitation(
  { read, now }: FindInvitationParts,
  token: string,
): Promise<OpenInvitation> {
  const found = mayBeLinkToken(token) ? await read.invitations.byTokenHash(hashLinkToken(token)) : null
  const organization = found && (await read.organizations.byId(found.organizationId))
  if (!found || !organization) throw invitationGone()
  if (found.expiresAt.getTime() <= now()) {
    throw new ExpiredLinkError(
      'invitation_not_found',
      `Ask an owner or admin of ${organization.name} for a new invitation.`,
      found.expiresAt,
    )
  }
  const { id, organizationId, email, role, mailed } = found
  const account = await read.users.byEmail(email)
  const takesOver = account !== null && mailed && !account.emailVerified
  const organizationName = organization.name
  const hasAccount = account !== null && !takesOver
  return { id, organizationId, organizationName, email, role, mailed, hasAccount, takesOver }
}

/** One text for every token without an invitation. */
export function invitationGone(): DomainError {
  return new DomainError(
    'invitation_not_found',
    'It was used or withdrawn, a newer one replaced it, or the link is incomplete. Please ask for a new one.',
  )
}
