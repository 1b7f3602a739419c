import { type NewId, ReviewId } from '@troupe/contract'
import type { Mailer } from '@troupe/mail'
import { DecisionLinks } from '@troupe/operations/decision-links/decision-links'
import { approvalNoticeSource } from '@troupe/operations/notices/approval-notice-source'
import { Notifier } from '@troupe/operations/notices/notifier'
import { type ReviewNoticeParts, reviewNoticeSource } from '@troupe/operations/notices/review-notice-source'
import type { Database } from '@troupe/storage'
import type { RunReviews } from '@troupe/workflows/ports'
import type { Logger } from 'pino'

/** Dependencies of reviews, and of e-mails about approvals. */
export interface ReviewParts extends Omit<ReviewNoticeParts, 'links' | 'database'> {
  database: Pick<Database, 'reviews' | 'approvals' | 'read'>
  approvalLinks: DecisionLinks
  mailer: Mailer
  log: Logger
  newId: NewId
  publicUrl: string
}

/** The reviews of this process. Disposing waits for notifications that are being sent. */
export interface Reviews extends AsyncDisposable {
  /** The interface for workers of workflows. */
  ofRuns: RunReviews
  /** Sends due notices of reviews and approvals. */
  sendNotices(): Promise<void>
}

/** Wires reviews to this process. */
export function createReviews({ newId, publicUrl, approvalLinks, ...parts }: ReviewParts): Reviews {
  const links = new DecisionLinks(parts.secretBox, publicUrl, 'review')
  const reviews = new Notifier(reviewNoticeSource({ ...parts, links }), parts)
  const approvals = new Notifier(approvalNoticeSource(parts.database.approvals, approvalLinks), parts)
  return {
    sendNotices: async () => void (await Promise.all([reviews.sendDue(), approvals.sendDue()])),
    ofRuns: {
      answers: (runId) => parts.database.reviews.answers(runId),
      mint: () => {
        const reviewId = newId(ReviewId)
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
