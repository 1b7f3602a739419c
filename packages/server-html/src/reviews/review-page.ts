import type { FieldError } from '@troupe/contract'
import { html, type Markup, momentText } from '@troupe/html'
import { proposalRevision } from '@troupe/operations/reviews/proposal-revision'
import { approvedText, COMMENT_REQUIRED, verdictText } from '@troupe/operations/reviews/review-errors'
import type { Reviewer } from '@troupe/operations/reviews/reviewer'
import type { ReviewRecord } from '@troupe/workflows/ports'
import { reviewHeader } from '../people/person-header.ts'
import { readAsset } from '../rendering/asset.ts'
import { type FormBody, fieldText } from '../rendering/form-body.ts'
import type { HtmlPage } from '../rendering/html-page.ts'
import { renderInstructions } from './instructions.ts'
import { inputName, isProposed } from './posted-decision.ts'
import { inputId, labelled, renderFields } from './review-fields.ts'
import { shownValue } from './shown-value.ts'

/** The style sheet of the review pages. */
export const REVIEW_STYLE = readAsset(new URL('./review.css', import.meta.url), 'css')

/** The reason for a refused submission: its validation errors, or a message about values that have changed since the page was rendered. */
export type Refused = { form: FormBody } & (
  | { errors: readonly FieldError[]; changed: null }
  | { errors: readonly []; changed: string }
)

/** The content of an open review's page. */
export interface ReviewView {
  review: ReviewRecord
  reviewer: Reviewer
  /** The link's token, posted back by the form. */
  token: string | null
  /** The reason that this visitor may not decide; null if they may. */
  obstacle: string | null
  /** Whether this visitor has approved a review that needs further approvals. */
  hasApproved: boolean
  /** The refused submission. */
  refused: Refused | null
}

function renderShown({ shown }: ReviewRecord): Markup | null {
  if (shown.length === 0) return null
  return html`<dl class="shown">${shown.map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${shownValue(value)}</dd></div>`,
  )}</dl>`
}

/** A validation error with the label of its input. */
function faultText({ path, message }: FieldError, labels: ReadonlyMap<string, string>): string {
  if (message === COMMENT_REQUIRED) return 'Write a comment: it is required to reject.'
  return `${labels.get(path) ?? path} ${message}`
}

/** @param faults sentences by the paths of their inputs */
function renderFaults(faults: ReadonlyMap<string, string>): Markup | null {
  if (faults.size === 0) return null
  return html`<div class="faults" role="alert" tabindex="-1">
<h2>Your decision was not stored</h2>
<ul>${[...faults].map(([path, text]) => html`<li><a href="#${inputId(path)}">${text}</a></li>`)}</ul>
</div>`
}

/** The current proposal if it differs from the visitor's submission: the form shows the new values, unless the visitor has approved. */
function renderChanged(
  { review: { fields }, hasApproved }: ReviewView,
  { form, changed }: Refused,
): Markup | null {
  if (changed === null) return null
  const shown = hasApproved ? [] : fields
  const others = shown.filter(
    (field) => form.has(inputName(field)) && !isProposed(field, fieldText(form, inputName(field))),
  )
  return html`<div class="faults" role="alert" tabindex="-1">
<h2>Your decision was not stored</h2>
<p>${changed}${hasApproved ? null : ' The form shows the current values.'}</p>
${
  others.length === 0
    ? null
    : html`<ul>${others.map((field) => {
        const sent = fieldText(form, inputName(field))
        return html`<li><a href="#${inputId(inputName(field))}">${field.label}</a>: you sent ${
          sent === '' ? 'no value' : `“${sent}”`
        }</li>`
      })}</ul>`
}
</div>`
}

const isMember = ({ type }: Reviewer) => type === 'user'

function renderMeta({
  workflowName,
  createdAt,
  expiresAt,
  approvals,
  approvalsRequired,
}: ReviewRecord): Markup {
  return html`<p class="meta">${workflowName} · asked ${momentText(createdAt)}${
    expiresAt === null ? null : html` · decide before ${momentText(expiresAt)}`
  }${approvalsRequired === 1 ? null : html` · ${approvals} of ${approvalsRequired} approvals`}</p>`
}

/**
 * Enter in a field activates the first button of its form; a disabled one prevents an accidental decision.
 */
const noDefaultButton = html`<button disabled hidden></button>`

/** A reviewer who has approved may still reject, but cannot change the approved values. */
function renderForm(view: ReviewView): Markup {
  const { review, reviewer, token, hasApproved, refused } = view
  const form = refused?.form
  const sent = form ? (name: string) => fieldText(form, name) : null
  const isChanged = (refused?.changed ?? null) !== null
  // Values that are displayed as submitted still belong to the revision of their page.
  const sentRevision = isChanged ? '' : (sent?.('revision') ?? '')
  const fieldLabel = new Map(review.fields.map(({ name, label }) => [`data.${name}`, label]))
  const labels = new Map([
    ['comment', 'Comment'],
    ['name', 'Your name'],
    ['decision', 'Decision'],
    ...fieldLabel,
  ])
  const faults = new Map(refused?.errors.map((error) => [error.path, faultText(error, labels)]))
  return html`${renderFaults(faults)}
${refused && renderChanged(view, refused)}
<form method="post" action="/reviews/${review.reviewId}">
${noDefaultButton}
${token === null ? null : html`<input type="hidden" name="token" value="${token}">`}
${
  // A page without the values cannot be outdated.
  hasApproved
    ? null
    : html`<input type="hidden" name="revision" value="${sentRevision || proposalRevision(review.fields)}">`
}
${hasApproved ? null : renderFields(review.fields, { faults, sent: isChanged ? null : sent })}
${
  reviewer.type === 'link'
    ? labelled({
        path: 'name',
        label: 'Your name',
        required: true,
        fault: faults.get('name') ?? null,
        control: (attributes) =>
          html`<input ${attributes} type="text" autocomplete="name" maxlength="100" value="${sent?.('name') ?? ''}">`,
      })
    : null
}
${labelled({
  path: 'comment',
  label: review.requireRejectComment ? 'Comment (required to reject)' : 'Comment',
  required: review.requireRejectComment,
  fault: faults.get('comment') ?? null,
  control: (attributes) => html`<textarea ${attributes} rows="3" maxlength="2000">
${sent?.('comment') ?? ''}</textarea>`,
})}
<div class="decide">
${hasApproved ? null : html`<button name="decision" value="approve">Approve</button>`}
<button name="decision" value="reject" class="danger">Reject</button>
</div>
</form>`
}

/** The page of an open review. */
export function reviewPage(view: ReviewView): HtmlPage {
  const { review, reviewer, obstacle } = view
  return {
    title: view.refused ? `Not stored: ${review.title}` : review.title,
    styles: [REVIEW_STYLE],
    width: 'wide',
    header: reviewHeader(isMember(reviewer)),
    main: html`<h1>${review.title}</h1>
${renderMeta(review)}
${view.hasApproved ? html`<div class="notice" role="status"><p>${approvedText(reviewer, review)}</p></div>` : null}
${review.instructions.trim() === '' ? null : html`<div class="instructions">${renderInstructions(review.instructions)}</div>`}
${renderShown(review)}
${obstacle === null ? renderForm(view) : html`<p class="notice">${obstacle}</p>`}`,
  }
}

/** The page of a closed review. A visitor with only the link sees the outcome, but none of the content. */
export function verdictPage({ review, reviewer }: Pick<ReviewView, 'review' | 'reviewer'>): HtmlPage {
  const member = isMember(reviewer)
  const { decision, decidedAt, title } = review
  const data = Object.entries(decision?.data ?? {})
  return {
    title: member ? title : 'This review is closed',
    styles: [REVIEW_STYLE],
    width: 'wide',
    header: reviewHeader(member),
    main: html`<h1>${member ? title : 'This review is closed'}</h1>
${member ? renderMeta(review) : null}
<div class="notice" role="status"><p><strong>${
      member ? verdictText(review) : verdictText({ ...review, decision: null })
    }</strong>${decidedAt === null ? null : html` ${momentText(decidedAt)}`}</p>${
      member && decision?.comment ? html`<p class="text">${decision.comment}</p>` : null
    }</div>
${member ? renderShown(review) : null}
${
  member && data.length > 0
    ? html`<h2>Decided values</h2><dl class="shown">${data.map(([name, value]) => {
        const label = review.fields.find((field) => field.name === name)?.label ?? name
        return html`<div><dt>${label}</dt><dd>${shownValue(value)}</dd></div>`
      })}</dl>`
    : null
}`,
  }
}
