import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares bearer tokens with the admin token in constant time, regardless of length. */
export class OperatorToken {
  readonly #digest: Buffer

  constructor(token: string) {
    this.#digest = sha256(token)
  }

  /** Whether an `Authorization` header carries the token. */
  matches(authorization: unknown): boolean {
    if (typeof authorization !== 'string') return false
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    return token !== undefined && timingSafeEqual(sha256(token), this.#digest)
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
