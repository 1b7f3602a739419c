import type { Approval } from '@troupe/contract'
import { html, type Markup, momentText } from '@troupe/html'
import { approvalText } from '@troupe/operations/approvals/approval-errors'
import { reviewHeader } from '../people/person-header.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import { labelled } from './review-fields.ts'
import { REVIEW_STYLE } from './review-page.ts'
import { shownValue } from './shown-value.ts'

/** An approval as displayed on pages. */
export interface ShownApproval extends Approval {
  agentName: string
}

const titleOf = ({ toolName }: ShownApproval) => `Allow the call to ${toolName}?`

function renderArguments({ args }: ShownApproval): Markup {
  const entries = Object.entries(args)
  if (entries.length === 0) return html`<p class="meta">Without arguments.</p>`
  return html`<dl class="shown">${entries.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${shownValue(value)}</dd></div>`,
  )}</dl>`
}

/** Enter in a field would press the first button: a disabled one prevents an accidental decision. */
const noDefaultButton = html`<button disabled hidden></button>`

function renderForm({ approvalId }: ShownApproval, { token, isMember }: ApprovalVisit): Markup {
  return html`<form method="post" action="/approvals/${approvalId}">
${noDefaultButton}
${token === null ? null : html`<input type="hidden" name="token" value="${token}">`}
${
  isMember
    ? null
    : labelled({
        path: 'name',
        label: 'Your name',
        required: true,
        fault: null,
        control: (attributes) => html`<input ${attributes} type="text" autocomplete="name" maxlength="100">`,
      })
}
${labelled({
  path: 'reason',
  label: 'Reason (the agent reads it when you reject)',
  required: false,
  fault: null,
  control: (attributes) => html`<textarea ${attributes} rows="3" maxlength="2000"></textarea>`,
})}
<div class="decide">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="reject" class="danger">Reject</button>
</div>
</form>`
}

function renderVerdict(approval: ShownApproval): Markup {
  const { status, reason } = approval
  return html`<div class="notice" role="status"><p><strong>${approvalText(approval)}</strong></p>${
    reason !== null && status !== 'expired' ? html`<p class="text">${reason}</p>` : null
  }</div>`
}

/** The visitor's access to the page. */
export interface ApprovalVisit {
  /** The token of the link, which the form posts back; null without one. */
  token: string | null
  /** Visitors who are not members enter their name. */
  isMember: boolean
}

/** The page of a call that waits for a decision, or its outcome. */
export function approvalPage(approval: ShownApproval, visit: ApprovalVisit): HtmlPage {
  const { agentName, createdAt, expiresAt, status } = approval
  const isPending = status === 'pending'
  return {
    title: titleOf(approval),
    styles: [REVIEW_STYLE],
    width: 'wide',
    header: reviewHeader(visit.isMember),
    main: html`<h1>${titleOf(approval)}</h1>
<p class="meta">${agentName} · asked ${momentText(createdAt * 1000)}${
      isPending ? html` · decide before ${momentText(expiresAt * 1000)}` : null
    }</p>
${isPending ? null : renderVerdict(approval)}
<h2>Arguments</h2>
${renderArguments(approval)}
${isPending ? renderForm(approval, visit) : null}`,
  }
}
