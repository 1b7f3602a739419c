import { hkdfSync } from 'node:crypto'
import type { EncryptionKey } from '@troupe/secrets'

/**
 * Signs the cookies of people. Derived from the key that encrypts now, which every process has: nothing else must be
 * shared. Rotating that key signs everybody out.
 */
export function cookieSecret([{ key }]: readonly [EncryptionKey, ...EncryptionKey[]]): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'troupe/sign-in-cookies', 32)).toString('base64url')
}
