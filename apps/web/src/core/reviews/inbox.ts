import type { MemberApproval, MemberReview } from '@troupe/contract/builder'
import { reviewWords as words } from '../messages/en/operate/reviews.ts'
import { argumentsText } from './arguments-text.ts'
import { compareIds } from './by-deadline.ts'

/** A row of the inbox: a review of a workflow or an approval of a tool call. */
export interface InboxItem {
  kind: 'review' | 'approval'
  id: string
  title: string
  detail: string
  status: MemberReview['status'] | MemberApproval['status']
  /** Unix seconds; null: without a deadline. */
  expiresAt: number | null
  createdAt: number
  /** Approvals that it has and needs, where it needs several. */
  quorum: { given: number; needed: number } | null
  /** The user has approved it, and it waits for others. */
  hasApproved: boolean
}

/** A review as a row. */
export function itemOfReview(review: MemberReview): InboxItem {
  const { reviewId, title, workflowName, status, expiresAt, createdAt, hasApproved } = review
  const { approvals, approvalsRequired } = review
  return {
    kind: 'review',
    id: reviewId,
    title,
    detail: words.ofReview(workflowName),
    ...{ status, expiresAt, createdAt },
    quorum: approvalsRequired > 1 ? { given: approvals, needed: approvalsRequired } : null,
    hasApproved: status === 'open' && hasApproved,
  }
}

/** An approval as a row. */
export function itemOfApproval(approval: MemberApproval): InboxItem {
  const { approvalId, agentName, toolName, args, status, expiresAt, createdAt } = approval
  return {
    kind: 'approval',
    id: approvalId,
    title: words.toolTitle(agentName, toolName),
    // One agent may ask for several calls of one tool.
    detail: argumentsText(args) || words.ofTool,
    ...{ status, expiresAt, createdAt },
    quorum: null,
    hasApproved: false,
  }
}

/** Decided items, newest first. */
export function byAge(items: readonly InboxItem[]): InboxItem[] {
  return items.toSorted((a, b) => b.createdAt - a.createdAt || compareIds(a, b))
}

/** One of the lists of the inbox, as far as it is loaded. */
export interface LoadedItems {
  items: readonly InboxItem[]
  hasMore: boolean
}

/**
 * The loaded rows of several lists as one. A row that might follow one that is not loaded yet is omitted, so that
 * later pages are appended.
 */
export function joinedItems(
  lists: readonly LoadedItems[],
  order: (items: readonly InboxItem[]) => InboxItem[],
): InboxItem[] {
  const all = order(lists.flatMap(({ items }) => items))
  const ends = lists.flatMap(({ items, hasMore }) => (hasMore ? items.slice(-1) : []))
  const [first] = order(ends)
  return first === undefined ? all : all.slice(0, all.indexOf(first) + 1)
}

/** The items that the user has not approved; the others wait for other reviewers. */
export function unapproved(items: readonly InboxItem[]): InboxItem[] {
  return items.filter(({ hasApproved }) => !hasApproved)
}

/**
 * The next item after a decision on `id`: among those that the user has not approved the one after it, else the one before it;
 * null: it was the last.
 */
export function nextAfter(items: readonly InboxItem[], id: string): InboxItem | null {
  const index = items.findIndex((item) => item.id === id)
  const [after] = unapproved(items.slice(index + 1))
  return after ?? unapproved(items.slice(0, Math.max(index, 0))).at(-1) ?? null
}
