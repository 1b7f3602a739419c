import { hash, timingSafeEqual } from 'node:crypto'
import type { AnyId } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import { randomToken } from '@troupe/secrets'
import type { NewReview } from '@troupe/workflows/ports'

const hashOf = (token: string) => hash('sha256', token, 'hex')

/**
 * Secrets of review links. The holder of a link may decide, unless the review is restricted to certain
 * reviewers.
 */
export class ReviewLinks {
  readonly #box: SecretBox
  readonly #newId: () => AnyId
  readonly #publicUrl: string

  constructor(box: SecretBox, newId: () => AnyId, publicUrl: string) {
    this.#box = box
    this.#newId = newId
    this.#publicUrl = publicUrl
  }

  /** A new review's id and link secret: hashed for comparison, sealed until all notifications are sent. */
  mint(): Pick<NewReview, 'reviewId' | 'link'> {
    const reviewId = this.#newId()
    const token = randomToken()
    const sealed = this.#box.seal(token, { purpose: 'review.link', id: reviewId })
    return { reviewId, link: { hash: hashOf(token), sealed } }
  }

  /** The link for notifications. Throws when the secret cannot be decrypted. */
  url(reviewId: string, sealed: string): string {
    const token = this.#box.open(sealed, { purpose: 'review.link', id: reviewId })
    return `${this.pageUrl(reviewId)}?token=${token}`
  }

  /** The page of a review for signed-in reviewers. */
  pageUrl(reviewId: string): string {
    return `${this.#publicUrl}/reviews/${reviewId}`
  }
}

/** Whether a token matches a link; constant time for wrong tokens. */
export function isTokenOf(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token), 'hex'), Buffer.from(storedHash, 'hex'))
}
