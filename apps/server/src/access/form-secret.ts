import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { EncryptionKey } from '@troupe/secrets'

/**
 * Signs what visitors of forms carry. Derived from the key that encrypts now, which every process has: nothing else must
 * be shared. Rotating that key ends the visits.
 */
export class FormSecret {
  readonly #key: Buffer

  constructor([{ key }]: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#key = Buffer.from(hkdfSync('sha256', key, '', 'troupe/form-visits', 32))
  }

  /** 43 characters of base64url. `purpose` keeps one kind of text from being taken for another. */
  sign(purpose: 'session' | 'page', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\n${text}`).digest('base64url')
  }

  isSigned(purpose: 'session' | 'page', text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
