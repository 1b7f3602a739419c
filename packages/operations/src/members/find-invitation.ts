import { DomainError, type OrganizationId } from '@troupe/contract'
import type { InvitationRecord, Readers } from '@troupe/database'
import { hashInvitationToken, mayBeInvitationToken } from './invitation-token.ts'

/** What the operation uses. */
export interface FindInvitationParts {
  read: Pick<Readers, 'invitations' | 'organizations' | 'users'>
  now: () => number
}

/** The parts of an invitation that a visitor with the link may see. */
export interface OpenInvitation extends Pick<InvitationRecord, 'id' | 'email' | 'role' | 'mailed'> {
  organizationId: OrganizationId
  organizationName: string
  /** Whether the address already has an account. */
  hasAccount: boolean
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
  const found = mayBeInvitationToken(token)
    ? await read.invitations.byTokenHash(hashInvitationToken(token))
    : null
  const organization =
    found && found.expiresAt.getTime() > now() ? await read.organizations.byId(found.organizationId) : null
  if (!found || !organization) throw invitationGone()
  const { id, organizationId, email, role, mailed } = found
  const hasAccount = (await read.users.byEmail(email)) !== null
  return { id, organizationId, organizationName: organization.name, email, role, mailed, hasAccount }
}

/** One text for every reason why an invitation is invalid. */
export function invitationGone(): DomainError {
  return new DomainError(
    'invitation_not_found',
    'This invitation is no longer valid. Please ask for a new one.',
  )
}
