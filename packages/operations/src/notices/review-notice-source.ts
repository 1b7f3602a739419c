import { createHmac } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import type { GuardedFetch } from '@troupe/safe-fetch'
import type { SecretBox } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { DueNotice } from '@troupe/workflows/ports'
import type { DecisionLinks } from '../decision-links/decision-links.ts'
import { noticeBody, noticeMail } from './notice-texts.ts'
import type { NoticeSource } from './notifier.ts'

const WEBHOOK_TIMEOUT_MS = 10_000

/** Dependencies of notices of reviews. */
export interface ReviewNoticeParts {
  database: {
    reviews: Pick<Database['reviews'], 'takeDueNotices' | 'noticed'>
    read: Pick<Database['read'], 'webhooks'>
  }
  links: DecisionLinks
  secretBox: SecretBox
  outgoing: Pick<GuardedFetch, 'fetch'>
  clock: Clock
}

/** The notices of open reviews. */
export function reviewNoticeSource(parts: ReviewNoticeParts): NoticeSource<DueNotice> {
  const { database, links } = parts
  return {
    name: 'review',
    idOf: ({ reviewId }) => reviewId,
    take: (leaseSeconds) => database.reviews.takeDueNotices(leaseSeconds),
    noticed: ({ reviewId }, left) => database.reviews.noticed(reviewId, left),
    linkOf: ({ reviewId, sealedLink }) => links.url(reviewId, sealedLink),
    mailOf: ({ reviewId, title, workflowName, expiresAt }, link, to) =>
      noticeMail({ id: reviewId, title, askedBy: workflowName, expiresAt }, link, to),
    async call(notice, link, url) {
      const body = noticeBody(notice, link)
      const response = await parts.outgoing.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': notice.reviewId,
          ...(await signature(parts, notice, body)),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new WebhookRefusal(response.status)
    },
  }
}

/** Signed like incoming webhooks; unsigned if no publish of the workflow has created a secret. */
async function signature(
  { database, secretBox, clock }: ReviewNoticeParts,
  { organizationId, workflowId }: DueNotice,
  body: string,
): Promise<Record<string, string>> {
  const secrets = await database.read.webhooks.secrets(organizationId, workflowId)
  if (!secrets) return {}
  const place = { purpose: 'workflow.signing_secret', id: workflowId } as const
  const secret = secretBox.open(secrets.signingSecretSealed, place)
  const timestamp = String(Math.floor(clock.now() / 1000))
  const signed = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-service-timestamp': timestamp, 'x-service-signature': signed }
}

class WebhookRefusal extends Error {
  override readonly name = 'WebhookRefusal'
  readonly code: string

  constructor(status: number) {
    super(`the webhook answered ${status}`)
    this.code = `HTTP_${status}`
  }
}
