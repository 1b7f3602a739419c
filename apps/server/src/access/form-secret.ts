import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { networkOf } from '@troupe/rate-limits'
import type { EncryptionKey } from '@troupe/secrets'

/**
 * The secret that signs tokens of form visitors, derived from the current encryption key, which every process
 * has. Rotating that key ends their sessions.
 */
export class FormSecret {
  readonly #key: Buffer

  constructor([{ key }]: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#key = Buffer.from(hkdfSync('sha256', key, '', 'troupe/form-visits', 32))
  }

  /** 43 characters of base64url. `purpose` keeps a token of one kind from being accepted as another. */
  sign(purpose: 'session' | 'page' | 'visitor', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\n${text}`).digest('base64url')
  }

  /** Pseudonym of a visitor's network in the database: without the key it reveals no address. */
  nameOf(ip: string): string {
    return this.sign('visitor', networkOf(ip))
  }

  isSigned(purpose: 'session' | 'page', text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
