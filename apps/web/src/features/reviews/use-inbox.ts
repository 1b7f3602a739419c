import type { AskedState } from '../../atoms/states/asked-panel.tsx'
import { byAge, byDeadline, type InboxItem, itemOfApproval, itemOfReview } from '../../core/reviews/inbox.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { sentDecisions } from './sent-decisions.ts'

export const INBOX_VIEWS = ['mine', 'all', 'decided'] as const
export type ReviewsView = (typeof INBOX_VIEWS)[number]
export const INBOX_PARAMS = { view: choiceParam(INBOX_VIEWS, 'mine') }

/** Reviewers get no events: what changes is asked for. */
const WATCH_MS = 10_000
const MOST = 100

/** Reviews and approvals in one list. */
export interface Inbox extends AskedState<readonly InboxItem[]> {
  /** How many there are; more than are listed when there are very many. */
  total: number
}

/** What one view of the inbox lists. Decisions under way are left out already. */
export function useInbox(view: ReviewsView): Inbox {
  const { may } = usePlace()
  const sent = useValue(sentDecisions)
  const settings = may('read') ? {} : { everyMs: WATCH_MS }
  const decided = view === 'decided'
  const reviews = useOperation(
    'listReviews',
    {
      query: {
        limit: MOST,
        decided,
        ...(decided ? {} : { sort: 'expiresAt' as const }),
        ...(view === 'mine' ? { mine: true } : {}),
      },
    },
    settings,
  )
  const approvals = useOperation('listApprovals', { query: { limit: MOST, decided } }, settings)
  const isThere = reviews.data !== undefined && approvals.data !== undefined
  const found = [
    ...(reviews.data?.data ?? []).map(itemOfReview),
    ...(approvals.data?.data ?? []).map(itemOfApproval),
  ].filter(({ id }) => decided || !sent.has(id))
  return {
    data: isThere ? (decided ? byAge(found) : byDeadline(found)) : undefined,
    total: (reviews.data?.total ?? 0) + (approvals.data?.total ?? 0),
    failure: reviews.failure ?? approvals.failure,
    isFetching: reviews.isFetching || approvals.isFetching,
    retry: () => {
      reviews.retry()
      approvals.retry()
    },
  }
}
