import { DomainError, type PasswordResetLink } from '@troupe/contract'
import { mailMarkup } from '@troupe/html'
import type { Mailer } from '@troupe/mail'
import type { Actor, Database, UserRecord } from '@troupe/storage'
import { hashLinkToken, mintLinkToken } from '../access/link-token.ts'

/** Lifetime of a reset link in milliseconds. */
const LIFETIME_MS = 60 * 60_000

/** Dependencies of the operations. */
export interface IssueResetParts {
  database: Pick<Database, 'transaction'>
  publicUrl: string
  now: () => number
}

/**
 * Mails a link for a new password to an account's address; null if no account has it. Only the newest link of an
 * account works. Rejects if the mail server does not accept the mail.
 */
export async function mailPasswordReset(
  parts: IssueResetParts & { mailer: Mailer },
  email: string,
): Promise<PasswordResetLink | null> {
  const issued = await issue(parts, email, null)
  if (!issued) return null
  await parts.mailer.send({
    to: issued.user.email,
    subject: 'Choose a new password',
    ...resetMail(issued.link),
  })
  return issued
}

/**
 * A link for a new password, for the operator to share. It is never logged or stored.
 *
 * @throws DomainError `account_not_found`
 */
export async function createPasswordResetLink(
  parts: IssueResetParts,
  operator: Actor,
  email: string,
): Promise<PasswordResetLink> {
  const issued = await issue(parts, email, operator)
  if (!issued) throw new DomainError('account_not_found', `${email} has no account.`)
  const { link, expiresAt } = issued
  return { link, expiresAt }
}

/** @param operator the recipient of the link; null: it is mailed */
async function issue(
  { database, publicUrl, now }: IssueResetParts,
  email: string,
  operator: Actor | null,
): Promise<(PasswordResetLink & { user: UserRecord }) | null> {
  const token = mintLinkToken()
  const expiresAt = new Date(now() + LIFETIME_MS)
  const user = await database.transaction(async ({ read, write }) => {
    const found = await read.users.byEmail(email)
    if (!found) return null
    const tokenHash = hashLinkToken(token)
    await write.users.putReset({ userId: found.id, tokenHash, mailed: operator === null, expiresAt })
    if (operator === null) return found
    for (const organizationId of await read.members.organizationsOf(found.id)) {
      await write.audit.append({
        organizationId,
        projectId: null,
        actor: operator,
        action: 'member.password_reset_link_created',
        entityKind: 'member',
        entityId: found.id,
        before: null,
        after: null,
      })
    }
    return found
  })
  if (!user) return null
  return { user, link: `${publicUrl}/reset-password/${token}`, expiresAt: expiresAt.toISOString() }
}

function resetMail(link: string): { text: string; html: string } {
  const lead = 'Somebody asked for a new password for your Troupe account.'
  const note =
    'It can be used once, within an hour. If this was not you, ignore this message: your password stays unchanged.'
  return {
    text: `${lead} Open this link to choose one:\n\n${link}\n\n${note}\n`,
    html: mailMarkup({ lead, action: { label: 'Choose a new password', href: link }, notes: [note] }).text,
  }
}
