import { hash, randomBytes } from 'node:crypto'

/** What an invitation's link holds: 256 random bits, so that it needs no salt and no limit on guesses. */
export function mintInvitationToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored instead: SHA-256, hex. */
export function hashInvitationToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Whether a text can be a token at all; anything else is refused without asking the database. */
export function mayBeInvitationToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}
