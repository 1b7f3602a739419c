import type { AnyId } from '@troupe/contract'
import type { RunSweeper } from '@troupe/agents'
import type { Database } from '@troupe/database'
import type { RunReviews } from '@troupe/workflows/ports'
import { ReviewLinks } from '../reviews/review-links.ts'
import { type NotifierParts, ReviewNotifier } from '../reviews/review-notifier.ts'

/** What reviews are made of. */
export interface ReviewParts extends Omit<NotifierParts, 'links' | 'database'> {
  database: Pick<Database, 'reviews' | 'read'>
  newId: () => AnyId
  publicUrl: string
  sweeper: Pick<RunSweeper, 'add'>
}

/** Reviews of people in this process. Disposing waits for messages that are being sent. */
export interface Reviews extends AsyncDisposable {
  /** What workers of workflows use. */
  ofRuns: RunReviews
  links: ReviewLinks
}

/** Wires what reviews need. */
export function createReviews({ newId, publicUrl, sweeper, ...parts }: ReviewParts): Reviews {
  const links = new ReviewLinks(parts.secretBox, newId, publicUrl)
  const notifier = new ReviewNotifier({ ...parts, links })
  sweeper.add('turn', 'notices of reviews', () => notifier.sendDue())
  return {
    links,
    ofRuns: {
      answers: (runId) => parts.database.reviews.answers(runId),
      mint: () => links.mint(),
      opened: () => notifier.hurry(),
    },
    [Symbol.asyncDispose]: () => notifier[Symbol.asyncDispose](),
  }
}
