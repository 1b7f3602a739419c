import { hash, randomBytes } from 'node:crypto'

/** The token in a link that is used once: 256 random bits, so it needs no salt. */
export function mintLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of the token: SHA-256, hex. */
export function hashLinkToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Whether a text has the form of a token; any other text is refused without a database query. */
export function mayBeLinkToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}
