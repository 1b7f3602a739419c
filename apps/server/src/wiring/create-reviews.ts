import type { AnyId } from '@troupe/contract'
import type { Database } from '@troupe/database'
import type { RunReviews } from '@troupe/workflows/ports'
import { ReviewLinks } from '../reviews/review-links.ts'
import { type NotifierParts, ReviewNotifier } from '../reviews/review-notifier.ts'

/** Dependencies of reviews. */
export interface ReviewParts extends Omit<NotifierParts, 'links' | 'database'> {
  database: Pick<Database, 'reviews' | 'read'>
  newId: () => AnyId
  publicUrl: string
}

/** The reviews of this process. Disposing waits for notifications that are being sent. */
export interface Reviews extends AsyncDisposable {
  /** What workers of workflows use. */
  ofRuns: RunReviews
  links: ReviewLinks
  /** Sends the notifications that are due. */
  sendNotices(): Promise<void>
}

/** Wires what reviews need. */
export function createReviews({ newId, publicUrl, ...parts }: ReviewParts): Reviews {
  const links = new ReviewLinks(parts.secretBox, newId, publicUrl)
  const notifier = new ReviewNotifier({ ...parts, links })
  return {
    links,
    sendNotices: () => notifier.sendDue(),
    ofRuns: {
      answers: (runId) => parts.database.reviews.answers(runId),
      mint: () => links.mint(),
      opened: () => notifier.hurry(),
    },
    [Symbol.asyncDispose]: () => notifier[Symbol.asyncDispose](),
  }
}
