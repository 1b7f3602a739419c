import type { AskedState } from '../../atoms/states/asked-panel.tsx'
import { byDeadline } from '../../core/reviews/by-deadline.ts'
import { byAge, type InboxItem, itemOfApproval, itemOfReview, joinedItems } from '../../core/reviews/inbox.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { sentDecisions } from './sent-decisions.ts'
import { useWatching } from './use-watching.ts'

export const INBOX_VIEWS = ['mine', 'all', 'decided'] as const
export type ReviewsView = (typeof INBOX_VIEWS)[number]
export const INBOX_PARAMS = { view: choiceParam(INBOX_VIEWS, 'mine') }

/** Rows per page of each list. */
const PAGE_ROWS = 50

/** Reviews and approvals in one list. */
export interface Inbox extends AskedState<readonly InboxItem[]> {
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
}

/** The items of one view of the inbox, in the project of the page. Decisions in progress are already removed. */
export function useInbox(view: ReviewsView): Inbox {
  const { projectId } = usePlace()
  const sent = useValue(sentDecisions)
  const settings = { ...useWatching(), keepsFormer: false }
  const decided = view === 'decided'
  const query = {
    limit: PAGE_ROWS,
    decided,
    ...(decided ? {} : { sort: 'expiresAt' as const }),
    ...(projectId ? { projectId } : {}),
  }
  const mine = view === 'mine' ? { mine: true } : {}
  const reviews = useKeysetOperation('listReviews', { query: { ...query, ...mine } }, settings)
  const approvals = useKeysetOperation('listApprovals', { query }, settings)
  const lists = [reviews, approvals]
  const found = joinedItems(
    [
      { items: (reviews.data ?? []).map(itemOfReview), hasMore: reviews.hasMore },
      { items: (approvals.data ?? []).map(itemOfApproval), hasMore: approvals.hasMore },
    ],
    decided ? byAge : byDeadline,
  ).filter(({ id }) => decided || !sent.has(id))
  return {
    data: lists.some(({ data }) => data === undefined) ? undefined : found,
    failure: reviews.failure ?? approvals.failure,
    isFetching: lists.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const list of lists) list.retry()
    },
    hasMore: lists.some(({ hasMore }) => hasMore),
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    loadMore: () => {
      for (const list of lists) if (list.hasMore) list.loadMore()
    },
  }
}
