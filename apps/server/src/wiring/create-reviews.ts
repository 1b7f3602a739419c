import type { AnyId } from '@troupe/contract'
import type { Database } from '@troupe/database'
import type { Mailer } from '@troupe/mail'
import type { RunReviews } from '@troupe/workflows/ports'
import type { Logger } from 'pino'
import { approvalNoticeSource } from '../reviews/approval-notice-source.ts'
import { DecisionLinks } from '../reviews/decision-links.ts'
import { Notifier } from '../reviews/notifier.ts'
import { type ReviewNoticeParts, reviewNoticeSource } from '../reviews/review-notice-source.ts'

/** Dependencies of reviews, and of the e-mails about approvals. */
export interface ReviewParts extends Omit<ReviewNoticeParts, 'links' | 'database'> {
  database: Pick<Database, 'reviews' | 'approvals' | 'read'>
  approvalLinks: DecisionLinks
  mailer: Mailer
  log: Logger
  newId: () => AnyId
  publicUrl: string
}

/** The reviews of this process. Disposing waits for notifications that are being sent. */
export interface Reviews extends AsyncDisposable {
  /** What workers of workflows use. */
  ofRuns: RunReviews
  /** Sends the notices of reviews and approvals that are due. */
  sendNotices(): Promise<void>
}

/** Wires what reviews need. */
export function createReviews({ newId, publicUrl, approvalLinks, ...parts }: ReviewParts): Reviews {
  const links = new DecisionLinks(parts.secretBox, publicUrl, 'review')
  const reviews = new Notifier(reviewNoticeSource({ ...parts, links }), parts)
  const approvals = new Notifier(approvalNoticeSource(parts.database.approvals, approvalLinks), parts)
  return {
    sendNotices: async () => void (await Promise.all([reviews.sendDue(), approvals.sendDue()])),
    ofRuns: {
      answers: (runId) => parts.database.reviews.answers(runId),
      mint: () => {
        const reviewId = newId()
        return { reviewId, link: links.mint(reviewId) }
      },
      opened: () => reviews.hurry(),
    },
    async [Symbol.asyncDispose]() {
      await reviews[Symbol.asyncDispose]()
      await approvals[Symbol.asyncDispose]()
    },
  }
}
