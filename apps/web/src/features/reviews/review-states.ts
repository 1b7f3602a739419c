import type { State } from '../../atoms/states/badge.tsx'
import type { InboxItem } from '../../core/reviews/inbox.ts'

/** The shape and colour of each status of a review or an approval. */
export const REVIEW_STATES: Readonly<Record<InboxItem['status'], State>> = {
  open: 'waiting',
  pending: 'waiting',
  approved: 'completed',
  rejected: 'failed',
  denied: 'failed',
  timeout: 'warning',
  expired: 'warning',
  withdrawn: 'cancelled',
}
