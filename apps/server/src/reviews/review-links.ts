import { hash, timingSafeEqual } from 'node:crypto'
import type { AnyId } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import { randomToken } from '@troupe/secrets'
import type { NewReview } from '@troupe/workflows/ports'

const hashOf = (token: string) => hash('sha256', token, 'hex')

/** Secrets of the links to reviews. Whoever has one may decide, if the review does not ask certain people. */
export class ReviewLinks {
  readonly #box: SecretBox
  readonly #newId: () => AnyId
  readonly #publicUrl: string

  constructor(box: SecretBox, newId: () => AnyId, publicUrl: string) {
    this.#box = box
    this.#newId = newId
    this.#publicUrl = publicUrl
  }

  /** A new review's id with the secret of its link: hashed to be compared, sealed until everybody is told. */
  mint(): Pick<NewReview, 'reviewId' | 'link'> {
    const reviewId = this.#newId()
    const token = randomToken()
    const sealed = this.#box.seal(token, { purpose: 'review.link', id: reviewId })
    return { reviewId, link: { hash: hashOf(token), sealed } }
  }

  /** The link that people are sent. Throws when the secret cannot be opened. */
  url(reviewId: string, sealed: string): string {
    const token = this.#box.open(sealed, { purpose: 'review.link', id: reviewId })
    return `${this.pageUrl(reviewId)}?token=${token}`
  }

  /** The page of a review for people who sign in. */
  pageUrl(reviewId: string): string {
    return `${this.#publicUrl}/reviews/${reviewId}`
  }
}

/** Whether a token is the one of a link; takes the same time for every wrong one. */
export function isTokenOf(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token), 'hex'), Buffer.from(storedHash, 'hex'))
}
