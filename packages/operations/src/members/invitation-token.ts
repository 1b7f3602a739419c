import { hash, randomBytes } from 'node:crypto'

/** The token in an invitation's link: 256 random bits, so it needs no salt and no limit on guesses. */
export function mintInvitationToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of the token: SHA-256, hex. */
export function hashInvitationToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Whether a text is well-formed as a token; anything else is refused without a database query. */
export function mayBeInvitationToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}
