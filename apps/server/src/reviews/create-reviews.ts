import type { Database } from '@troupe/database'
import type { RunReviews } from '@troupe/runtime/ports'
import type { SecretBox } from '../secrets/secret-box.ts'
import { ReviewLinks } from './review-links.ts'

/** What reviews are made of. */
export interface ReviewParts {
  database: Pick<Database, 'reviews'>
  secretBox: SecretBox
  newId: () => string
  publicUrl: string
}

/** Reviews of people in this process. */
export interface Reviews {
  /** What workers of workflows use. */
  ofRuns: RunReviews
  links: ReviewLinks
}

/** Wires what reviews need. */
export function createReviews({ database, secretBox, newId, publicUrl }: ReviewParts): Reviews {
  const links = new ReviewLinks(secretBox, newId, publicUrl)
  return {
    links,
    ofRuns: {
      answers: (runId) => database.reviews.answers(runId),
      mint: () => links.mint(),
      opened: () => {},
    },
  }
}
