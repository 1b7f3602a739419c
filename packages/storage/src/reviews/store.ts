import type { ReviewStore } from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { expireReviews } from './expire-reviews.ts'
import {
  approvedBy,
  findReview,
  pageReviews,
  reviewLink,
  reviewsOfRun,
  voteOf,
  votesOf,
} from './find-review.ts'
import { reviewAnswers } from './review-answers.ts'
import { reviewNotices } from './review-notices.ts'

/** The rows of reviews as hand-written SQL. */
export function reviewStore(client: SqlClient): ReviewStore {
  return {
    find: findReview(client),
    page: pageReviews(client),
    ofRun: reviewsOfRun(client),
    link: reviewLink(client),
    voteOf: voteOf(client),
    votes: votesOf(client),
    approvedBy: approvedBy(client),
    answers: reviewAnswers(client),
    expire: expireReviews(client),
    ...reviewNotices(client),
  }
}
