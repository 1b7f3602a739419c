import {
  DomainError,
  InvitationId,
  type InviteMemberBody,
  type NewId,
  type OrganizationId,
} from '@troupe/contract'
import { mailMarkup } from '@troupe/html'
import type { Mailer } from '@troupe/mail'
import type { Actor, Database, InvitationRecord } from '@troupe/storage'
import { hashLinkToken, mintLinkToken } from '../access/link-token.ts'
import { managingRole, requireOwnerFor } from './manage-members.ts'

/** Lifetime of an invitation link in milliseconds. */
const LIFETIME_MS = 7 * 86_400_000

/** Dependencies of the operation. */
export interface InviteMemberParts {
  database: Pick<Database, 'transaction'>
  mailer: Mailer
  publicUrl: string
  newId: NewId
  now: () => number
}

/**
 * Invites an address by e-mail; inviting it again invalidates the earlier link.
 *
 * @returns the link if it was not mailed, for the inviter to pass on. It is never logged or stored.
 * @throws DomainError `forbidden`, `organization_not_found`, `already_member`, or `bad_gateway` when the mail server
 * did not accept the mail; inviting again is safe
 */
export async function inviteMember(
  { database, mailer, publicUrl, newId, now }: InviteMemberParts,
  organizationId: OrganizationId,
  actor: Actor,
  body: InviteMemberBody,
): Promise<{ invitation: Omit<InvitationRecord, 'createdAt'>; link: string | null }> {
  const token = mintLinkToken()
  const invitation = {
    id: newId(InvitationId),
    organizationId,
    email: body.email.toLowerCase(),
    role: body.role,
    mailed: mailer.sends,
    expiresAt: new Date(now() + LIFETIME_MS),
  }
  const organization = await database.transaction(async ({ read, write }) => {
    const locked = await write.organizations.lock(organizationId)
    if (!locked) throw new DomainError('organization_not_found', 'Organization not found.')
    const managing = await managingRole(read, organizationId, actor)
    requireOwnerFor(managing, invitation.role)
    // It invalidates the earlier link, which only owners may withdraw if it is for an owner.
    const earlier = (await read.invitations.list(organizationId)).find(
      ({ email, expiresAt }) => email === invitation.email && expiresAt.getTime() > now(),
    )
    if (earlier) requireOwnerFor(managing, earlier.role)
    const members = await read.members.list(organizationId)
    if (members.some(({ email }) => email === invitation.email)) {
      throw new DomainError('already_member', `${invitation.email} already belongs to the organization.`)
    }
    await write.invitations.put({ ...invitation, tokenHash: hashLinkToken(token) })
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: 'member.invited',
      entityKind: 'invitation',
      entityId: invitation.id,
      before: null,
      after: { email: invitation.email, role: invitation.role },
    })
    return locked
  })
  const link = `${publicUrl}/invitations/${token}`
  if (!mailer.sends) return { invitation, link }
  const subject = `You are invited to ${organization.name}`
  const texts = invitationMail(organization.name, link)
  await mailer.send({ to: invitation.email, subject, ...texts }).catch((error: unknown) => {
    throw new DomainError('bad_gateway', 'The invitation could not be mailed. Please invite again later.', {
      internal: error instanceof Error ? error.message : String(error),
    })
  })
  return { invitation, link: null }
}

function invitationMail(organization: string, link: string): { text: string; html: string } {
  const lead = `You are invited to work in ${organization} on Troupe.`
  const note = 'It can be used once, within 7 days. If you did not expect it, you need not do anything.'
  return {
    text: `${lead} Open this link to accept:\n\n${link}\n\n${note}\n`,
    html: mailMarkup({ lead, action: { label: 'Accept the invitation', href: link }, notes: [note] }).text,
  }
}
