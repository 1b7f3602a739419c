import {
  type ApprovalStatus,
  type IdText,
  type OrganizationId,
  typedKeys,
  type WorkflowId,
} from '@troupe/contract'
import { html, type Markup, momentText } from '@troupe/html'
import type { ReviewRecord, ReviewStatus } from '@troupe/workflows/ports'
import { personHeader } from '../people/person-header.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import type { ShownApproval } from './approval-page.ts'
import { REVIEW_STYLE } from './review-page.ts'

/** Filters of the inbox; `all` for no restriction. */
export const INBOX_STATUSES = ['open', 'approved', 'rejected', 'timeout', 'withdrawn', 'all'] as const
export type InboxStatus = (typeof INBOX_STATUSES)[number]

const STATUS_LABELS: Record<InboxStatus, string> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  timeout: 'Timed out',
  withdrawn: 'Withdrawn',
  all: 'All',
}

/** The inbox's status names for approvals of tool calls. */
const STATUS_OF_APPROVAL: Record<ApprovalStatus, InboxStatus> = {
  pending: 'open',
  approved: 'approved',
  denied: 'rejected',
  expired: 'timeout',
}

/** The reviews and approvals of one organization, with their total numbers. */
export interface InboxSection {
  organizationId: IdText<OrganizationId>
  name: string
  rows: readonly ReviewRecord[]
  total: number
  /** The ids of reviews that the user has approved. */
  approved: ReadonlySet<string>
  approvals: { data: readonly ShownApproval[]; total: number }
}

/** The content of the inbox and its filters. */
export interface InboxView {
  person: string
  sections: readonly InboxSection[]
  status: InboxStatus
  /** null: all organizations of the user. */
  organizationId: IdText<OrganizationId> | null
  workflowId: IdText<WorkflowId> | null
  page: number
  limit: number
}

/** The status filter in the store's terms. */
export const storedStatus = (status: InboxStatus): ReviewStatus | null => (status === 'all' ? null : status)

/** The approval status of a filter; undefined for none: calls are never withdrawn. */
export function approvalsShown(status: InboxStatus): ApprovalStatus | null | undefined {
  if (status === 'all') return null
  return typedKeys(STATUS_OF_APPROVAL).find((one) => STATUS_OF_APPROVAL[one] === status)
}

function hrefOf(view: Pick<InboxView, 'status' | 'organizationId' | 'workflowId' | 'page'>): string {
  // Always with a filter: without one, the address leads into the builder.
  const query = new URLSearchParams({ status: view.status })
  if (view.organizationId !== null) query.set('organizationId', view.organizationId)
  if (view.workflowId !== null) query.set('workflowId', view.workflowId)
  if (view.page > 1) query.set('page', String(view.page))
  return `/reviews?${query}`
}

function renderFilters(view: InboxView): Markup {
  const link = (status: InboxStatus) => {
    const current = status === view.status ? html` aria-current="page"` : null
    return html`<li><a href="${hrefOf({ ...view, status, page: 1 })}"${current}>${STATUS_LABELS[status]}</a></li>`
  }
  return html`<nav aria-label="Status"><ul class="filters">${INBOX_STATUSES.map(link)}</ul></nav>`
}

const tile = (kind: string, drawing: Markup) =>
  html`<span class="tile ${kind}" aria-hidden="true"><svg width="14" height="14" viewBox="0 0 24 24">${drawing}</svg></span>`
/** The builder's icons for a review and of a tool (Lucide). */
const REVIEW_TILE = tile(
  'review',
  html`<path d="M22 12h-6l-2 3h-4l-2-3H2M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z"/>`,
)
const TOOL_TILE = tile(
  'tool',
  html`<path d="M14.7 6.3a1 1 0 0 0 0 1.4l1.6 1.6a1 1 0 0 0 1.4 0l3.106-3.105c.32-.322.863-.22.983.218a6 6 0 0 1-8.259 7.057l-7.91 7.91a1 1 0 0 1-2.999-3l7.91-7.91a6 6 0 0 1 7.057-8.259c.438.12.54.662.219.984z"/>`,
)

/** Omitted under the filter of a status, which every row has. */
const statusBadge = (view: InboxView, status: InboxStatus) =>
  view.status === status ? null : html`<span class="badge ${status}">${STATUS_LABELS[status]}</span>`

function renderRow(
  view: InboxView,
  review: ReviewRecord,
  { organizationId, approved }: InboxSection,
): Markup {
  const { reviewId, title, workflowId, workflowName, createdAt, expiresAt, status } = review
  const ofWorkflow = hrefOf({ ...view, organizationId, workflowId, page: 1 })
  return html`<li>${REVIEW_TILE}<div>
<a class="title" href="/reviews/${reviewId}">${title}</a>
<p class="meta"><a href="${ofWorkflow}">${workflowName}</a> · asked ${momentText(createdAt)}${
    status === 'open' && expiresAt !== null ? html` · decide before ${momentText(expiresAt)}` : null
  }</p></div><div>${statusBadge(view, status)}${
    status === 'open' && approved.has(reviewId)
      ? html` <span class="badge approved">You approved</span>`
      : null
  }</div>
</li>`
}

function renderApproval(
  view: InboxView,
  { approvalId, toolName, agentName, createdAt, expiresAt, status }: ShownApproval,
): Markup {
  return html`<li>${TOOL_TILE}<div>
<a class="title" href="/approvals/${approvalId}">Allow the call to ${toolName}?</a>
<p class="meta">${agentName} · asked ${momentText(createdAt * 1000)}${
    status === 'pending' ? html` · decide before ${momentText(expiresAt * 1000)}` : null
  }</p></div><div>${statusBadge(view, STATUS_OF_APPROVAL[status])}</div>
</li>`
}

function renderPages(view: InboxView, { organizationId, total, approvals }: InboxSection): Markup | null {
  const last = Math.ceil(Math.max(total, approvals.total) / view.limit)
  if (last <= 1) return null
  const to = (page: number) => hrefOf({ ...view, organizationId, page })
  return html`<nav class="pages" aria-label="Pages">
${view.page > 1 ? html`<a rel="prev" href="${to(view.page - 1)}">Newer</a>` : null}
<span>Page ${view.page} of ${last}</span>
${view.page < last ? html`<a rel="next" href="${to(view.page + 1)}">Older</a>` : null}
</nav>`
}

function renderSection(view: InboxView, section: InboxSection): Markup {
  const { rows, name, approvals } = section
  const isEmpty = rows.length === 0 && approvals.data.length === 0
  const nothing = view.status === 'open' ? 'No review is waiting for a decision.' : 'There is nothing here.'
  return html`<section>
${view.sections.length > 1 ? html`<h2>${name}</h2>` : null}
${
  isEmpty
    ? html`<p class="nothing">${nothing}</p>`
    : html`<ul class="inbox">${approvals.data.map((approval) => renderApproval(view, approval))}${rows.map(
        (row) => renderRow(view, row, section),
      )}</ul>`
}
${renderPages(view, section)}
</section>`
}

/** The reviews of the user's organizations, and the tool calls that wait for an approval. */
export function inboxPage(view: InboxView): HtmlPage {
  const isNarrowed = view.workflowId !== null || view.organizationId !== null
  return {
    title: 'Reviews',
    width: 'wide',
    header: personHeader('reviews', view.sections.length > 0),
    styles: [REVIEW_STYLE],
    main: html`<h1>Reviews</h1>
<p class="meta">Signed in as ${view.person}</p>
${renderFilters(view)}
${isNarrowed ? html`<p><a href="${hrefOf({ ...view, workflowId: null, organizationId: null, page: 1 })}">Show every workflow</a></p>` : null}
${
  view.sections.length === 0
    ? html`<p>You are not a member of any organization.</p>`
    : view.sections.map((section) => renderSection(view, section))
}`,
  }
}
