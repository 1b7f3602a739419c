import { hkdfSync } from 'node:crypto'
import type { EncryptionKey } from '@troupe/secrets'

/**
 * The secret that signs session cookies, derived from the current encryption key, which every process has.
 * Rotating that key signs every user out.
 */
export function cookieSecret([{ key }]: readonly [EncryptionKey, ...EncryptionKey[]]): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'troupe/sign-in-cookies', 32)).toString('base64url')
}
