import { oneLine } from '@troupe/contract'
import { mailMarkup } from '@troupe/html'
import type { Mail } from '@troupe/mail'
import type { DueNotice } from '@troupe/workflows/ports'

const MAX_SUBJECT = 120
const SECRET_LINK = 'Anyone with this link may be able to decide. Do not pass it on.'

/** `2026-03-01 14:05 UTC`: the reader's time zone is unknown. */
const momentText = (milliseconds: number) =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The contents of a mail. */
export interface MailedQuestion {
  /** Identical for every attempt, so that mail servers and clients can deduplicate. */
  id: string
  title: string
  /** The name of the waiting workflow or agent. */
  askedBy: string
  /** Milliseconds since the epoch. */
  expiresAt: number | null
}

/** The e-mail about a pending decision. It reveals only the title of the run: mail can be read in transit. */
export function noticeMail({ id, expiresAt, ...notice }: MailedQuestion, link: string, to: string): Mail {
  // Tenant text as one line, so that it cannot add paragraphs to the mail.
  const title = oneLine(notice.title)
  const askedBy = oneLine(notice.askedBy)
  const deadline = expiresAt === null ? null : `Please decide before ${momentText(expiresAt)}.`
  const subject = `Please review: ${title}`
  return {
    to,
    subject: subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT - 1)}…` : subject,
    text: [
      `${askedBy} is waiting for a decision:`,
      `  ${title}`,
      'Open the review to approve or reject it:',
      link,
      ...(deadline === null ? [] : [deadline]),
      SECRET_LINK,
    ].join('\n\n'),
    html: mailMarkup({
      lead: `${askedBy} is waiting for a decision:`,
      title,
      action: { label: 'Open the review', href: link },
      notes: [...(deadline === null ? [] : [deadline]), SECRET_LINK],
    }).text,
    id,
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
