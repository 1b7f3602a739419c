import { createHmac } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import type { Mailer } from '@troupe/mail'
import type { GuardedFetch } from '@troupe/outgoing'
import type { SecretBox } from '@troupe/secrets'
import type { DueNotice, ReviewNotify } from '@troupe/workflows/ports'
import type { Logger } from 'pino'
import { failureReason } from './failure-reason.ts'
import { noticeBody, noticeMail } from './notice-texts.ts'
import type { ReviewLinks } from './review-links.ts'

/** Seconds of the lease on a notification: longer than all its messages together may take. */
const LEASE_SECONDS = 300
const WEBHOOK_TIMEOUT_MS = 10_000
const FIRST_RETRY_SECONDS = 30
const LONGEST_RETRY_SECONDS = 3_600
/** The last attempt is about four hours after the first. */
const MAX_ATTEMPTS = 10

/** Dependencies of the notifier. */
export interface NotifierParts {
  database: {
    reviews: Pick<Database['reviews'], 'takeDueNotices' | 'noticed'>
    read: Pick<Database['read'], 'webhooks'>
  }
  links: ReviewLinks
  secretBox: SecretBox
  mailer: Mailer
  outgoing: Pick<GuardedFetch, 'fetch'>
  clock: Clock
  log: Logger
}

type Message = { kind: 'e-mail'; to: string } | { kind: 'webhook'; url: string }

function messagesOf({ emails, webhookUrl }: ReviewNotify): Message[] {
  const mails = emails.map((to): Message => ({ kind: 'e-mail', to }))
  return webhookUrl === null ? mails : [...mails, { kind: 'webhook', url: webhookUrl }]
}

function without({ emails, webhookUrl }: ReviewNotify, message: Message): ReviewNotify {
  if (message.kind === 'webhook') return { emails, webhookUrl: null }
  return { emails: emails.filter((to) => to !== message.to), webhookUrl }
}

/**
 * Notifies reviewers of an open review after the commit that opened it, from any process; the review's row is
 * the outbox. Each delivery is recorded before the next message is sent, so only a crash in between causes a
 * duplicate, with the same id. Failures are retried and never affect the run.
 */
export class ReviewNotifier implements AsyncDisposable {
  readonly #parts: NotifierParts
  #turn: Promise<void> | null = null
  #isAskedAgain = false
  #isClosed = false

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  /** Sends notifications that are due soon, in the background. Never throws. */
  hurry(): void {
    if (this.#isClosed) return
    if (this.#turn) {
      this.#isAskedAgain = true
      return
    }
    this.#turn = this.sendDue()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'review notifications could not be sent'))
      .finally(() => {
        this.#turn = null
        if (!this.#isAskedAgain) return
        this.#isAskedAgain = false
        this.hurry()
      })
  }

  /** Sends due notifications. Throws only when the database fails. */
  async sendDue(): Promise<void> {
    for (;;) {
      const due = await this.#parts.database.reviews.takeDueNotices(LEASE_SECONDS)
      if (due.length === 0) return
      await Promise.all(due.map((notice) => this.#send(notice)))
    }
  }

  async #send(notice: DueNotice): Promise<void> {
    const { reviews } = this.#parts.database
    const { reviewId, attempt } = notice
    const link = this.#linkOf(notice)
    if (link === null) {
      await reviews.noticed(reviewId, null)
      return
    }
    let left = notice.notify
    for (const message of messagesOf(notice.notify)) {
      if (!(await this.#tries(notice, link, message))) continue
      left = without(left, message)
      if (!(await reviews.noticed(reviewId, { notify: left, retrySeconds: LEASE_SECONDS }))) return
    }
    const isDone = messagesOf(left).length === 0
    const isLast = attempt >= MAX_ATTEMPTS
    if (!isDone && isLast) {
      this.#parts.log.error(
        { reviewId, attempt },
        'a review notification was given up after the last attempt',
      )
    }
    const retrySeconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempt - 1), LONGEST_RETRY_SECONDS)
    await reviews.noticed(reviewId, isDone || isLast ? null : { notify: left, retrySeconds })
  }

  #linkOf({ reviewId, sealedLink }: DueNotice): string | null {
    try {
      return this.#parts.links.url(reviewId, sealedLink)
    } catch (err) {
      this.#parts.log.error({ reviewId, err }, 'the link of a review cannot be opened')
      return null
    }
  }

  async #tries(notice: DueNotice, link: string, message: Message): Promise<boolean> {
    try {
      if (message.kind === 'webhook') await this.#call(notice, link, message.url)
      else await this.#mail(notice, link, message.to)
      return true
    } catch (error) {
      const { reviewId, attempt } = notice
      // Neither address nor text is logged: a URL may contain a secret.
      const reason = failureReason(error)
      this.#parts.log.warn({ reviewId, attempt, kind: message.kind, reason }, 'a review notification failed')
      return false
    }
  }

  async #mail(notice: DueNotice, link: string, to: string): Promise<void> {
    const { mailer, log } = this.#parts
    if (mailer.sends) return mailer.send(noticeMail(notice, link, to))
    log.info({ reviewId: notice.reviewId }, 'no e-mail was sent about a review, because SMTP_URL is not set')
  }

  async #call(notice: DueNotice, link: string, url: string): Promise<void> {
    const body = noticeBody(notice, link)
    const signature = await this.#signature(notice, body)
    const response = await this.#parts.outgoing.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': notice.reviewId, ...signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new WebhookRefusal(response.status)
  }

  /** Signed like incoming webhooks; unsigned when no publication of the workflow has created a secret. */
  async #signature({ organizationId, workflowId }: DueNotice, body: string): Promise<Record<string, string>> {
    const { database, secretBox, clock } = this.#parts
    const secrets = await database.read.webhooks.secrets(organizationId, workflowId)
    if (!secrets) return {}
    const place = { purpose: 'workflow.signing_secret', id: workflowId } as const
    const secret = secretBox.open(secrets.signingSecretSealed, place)
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    return { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
  }

  /** Waits for active deliveries; accepts no new ones. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#turn
  }
}

class WebhookRefusal extends Error {
  override readonly name = 'WebhookRefusal'
  readonly code: string

  constructor(status: number) {
    super(`the webhook answered ${status}`)
    this.code = `HTTP_${status}`
  }
}
