import { hash, timingSafeEqual } from 'node:crypto'
import { randomToken, type SecretBox } from '@troupe/secrets'

/** The kinds of links: the purpose that their sealed secrets are bound to, and the path of the page. */
const KINDS = {
  review: { purpose: 'review.link', path: 'reviews' },
  approval: { purpose: 'approval.link', path: 'approvals' },
} as const

const hashOf = (token: string) => hash('sha256', token, 'hex')

/** Secrets of the links to reviews or to approvals. The holder of a link may decide, unless a review has assigned reviewers. */
export class DecisionLinks {
  readonly #box: SecretBox
  readonly #publicUrl: string
  readonly #kind: (typeof KINDS)[keyof typeof KINDS]

  constructor(box: SecretBox, publicUrl: string, kind: keyof typeof KINDS) {
    this.#box = box
    this.#publicUrl = publicUrl
    this.#kind = KINDS[kind]
  }

  /** A new link's secret: hashed for comparison, sealed until all notifications are sent. */
  mint(id: string): { hash: string; sealed: string } {
    const token = randomToken()
    return { hash: hashOf(token), sealed: this.#box.seal(token, { purpose: this.#kind.purpose, id }) }
  }

  /** The link for notifications. Throws if the secret cannot be decrypted. */
  url(id: string, sealed: string): string {
    const token = this.#box.open(sealed, { purpose: this.#kind.purpose, id })
    return `${this.#publicUrl}/${this.#kind.path}/${id}?token=${token}`
  }
}

/** Whether a token matches a link; constant time for wrong tokens. */
export function isTokenOf(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token), 'hex'), Buffer.from(storedHash, 'hex'))
}
