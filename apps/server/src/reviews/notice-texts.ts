import { oneLine } from '@troupe/contract'
import { html } from '@troupe/html'
import type { DueNotice } from '@troupe/workflows/ports'

const MAX_SUBJECT = 120

/** `2026-03-01 14:05 UTC`: the reader's time zone is unknown. */
const momentText = (milliseconds: number) =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * The e-mail about an open review. It reveals nothing of the run but the title: mail can be read in transit.
 */
export function noticeMail(
  { reviewId, expiresAt, ...notice }: Pick<DueNotice, 'reviewId' | 'title' | 'workflowName' | 'expiresAt'>,
  link: string,
  to: string,
): { to: string; subject: string; text: string; html: string; id: string } {
  // Tenant text as one line, so that it cannot add paragraphs to the mail.
  const title = oneLine(notice.title)
  const workflowName = oneLine(notice.workflowName)
  const deadline = expiresAt === null ? null : `Please decide before ${momentText(expiresAt)}.`
  const subject = `Please review: ${title}`
  return {
    to,
    subject: subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT - 1)}…` : subject,
    text: [
      `${workflowName} is waiting for a decision:`,
      `  ${title}`,
      'Open the review to approve or reject it:',
      link,
      ...(deadline === null ? [] : [deadline]),
      'Anyone with this link may be able to decide. Do not pass it on.',
    ].join('\n\n'),
    html: html`<p>${workflowName} is waiting for a decision:</p>
<p><strong>${title}</strong></p>
<p><a href="${link}">Open the review</a></p>
${deadline === null ? null : html`<p>${deadline}</p>`}
<p>Anyone with this link may be able to decide. Do not pass it on.</p>`.text,
    // Identical for every attempt, so that mail servers and clients can deduplicate.
    id: reviewId,
  }
}

/** The JSON body of the webhook about an open review. */
export function noticeBody(notice: DueNotice, link: string): string {
  const { reviewId, runId, workflowId, workflowName, title, expiresAt } = notice
  return JSON.stringify({
    type: 'review.opened',
    reviewId,
    executionId: runId,
    workflowId,
    workflowName,
    title,
    link,
    expiresAt: expiresAt === null ? null : Math.floor(expiresAt / 1000),
  })
}
