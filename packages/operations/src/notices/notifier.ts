import type { Mail, Mailer } from '@troupe/mail'
import { failureReason } from './failure-reason.ts'

/** Seconds of the lease on a notice: longer than all its messages together may take. */
const LEASE_SECONDS = 300
const FIRST_RETRY_SECONDS = 30
const LONGEST_RETRY_SECONDS = 3_600
/** The last attempt is about four hours after the first. */
const MAX_ATTEMPTS = 10

/** The recipients still to be notified. */
export interface Recipients {
  emails: string[]
  webhookUrl: string | null
}

/** A pending decision with due recipients. */
export interface PendingNotice {
  notify: Recipients
  /** The secret of the link, sealed. */
  sealedLink: string
  /** Counts from 1. */
  attempt: number
}

/** A kind of decision, whose rows are the outbox. */
export interface NoticeSource<N extends PendingNotice> {
  /** For the log. */
  name: 'review' | 'approval'
  idOf(notice: N): string
  take(leaseSeconds: number): Promise<N[]>
  /** Records the remaining recipients, null for none. False if the decision is closed. */
  noticed(notice: N, left: { notify: N['notify']; retrySeconds: number } | null): Promise<boolean>
  /** The link. Throws if its secret cannot be decrypted. */
  linkOf(notice: N): string
  mailOf(notice: N, link: string, to: string): Mail
  /** Calls the webhook. Throws if it does not accept the notice. */
  call(notice: N, link: string, url: string): Promise<void>
}

/** The log of failures. Fields never contain an address or a text. */
export interface NoticeLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

type Message = { kind: 'e-mail'; to: string } | { kind: 'webhook'; url: string }

function messagesOf({ emails, webhookUrl }: Recipients): Message[] {
  const mails = emails.map((to): Message => ({ kind: 'e-mail', to }))
  return webhookUrl === null ? mails : [...mails, { kind: 'webhook', url: webhookUrl }]
}

function without<R extends Recipients>(recipients: R, message: Message): R {
  if (message.kind === 'webhook') return { ...recipients, webhookUrl: null }
  return { ...recipients, emails: recipients.emails.filter((to) => to !== message.to) }
}

/**
 * Notifies people of pending decisions after the commit that opened them, from any process. Each delivery is recorded
 * before the next message is sent, so only a crash in between causes a duplicate, with the same id. Failures are
 * retried and never affect the run.
 */
export class Notifier<N extends PendingNotice> implements AsyncDisposable {
  readonly #source: NoticeSource<N>
  readonly #mailer: Mailer
  readonly #log: NoticeLog
  #turn: Promise<void> | null = null
  #isAskedAgain = false
  #isClosed = false

  constructor(source: NoticeSource<N>, { mailer, log }: { mailer: Mailer; log: NoticeLog }) {
    this.#source = source
    this.#mailer = mailer
    this.#log = log
  }

  /** Sends notices that are due soon, in the background. Never throws. */
  hurry(): void {
    if (this.#isClosed) return
    if (this.#turn) {
      this.#isAskedAgain = true
      return
    }
    this.#turn = this.sendDue()
      .catch((err: unknown) => this.#log.error({ err }, `notices of ${this.#source.name}s could not be sent`))
      .finally(() => {
        this.#turn = null
        if (!this.#isAskedAgain) return
        this.#isAskedAgain = false
        this.hurry()
      })
  }

  /** Sends due notices. Throws only if the database fails. */
  async sendDue(): Promise<void> {
    for (;;) {
      const due = await this.#source.take(LEASE_SECONDS)
      if (due.length === 0) return
      await Promise.all(due.map((notice) => this.#send(notice)))
    }
  }

  async #send(notice: N): Promise<void> {
    const { noticed } = this.#source
    const { attempt } = notice
    const link = this.#linkOf(notice)
    if (link === null) {
      await noticed(notice, null)
      return
    }
    let left: N['notify'] = notice.notify
    for (const message of messagesOf(notice.notify)) {
      if (!(await this.#tries(notice, link, message))) continue
      left = without(left, message)
      if (!(await noticed(notice, { notify: left, retrySeconds: LEASE_SECONDS }))) return
    }
    const isDone = messagesOf(left).length === 0
    const isLast = attempt >= MAX_ATTEMPTS
    if (!isDone && isLast) {
      this.#log.error(
        this.#fieldsOf(notice),
        `a notice of the ${this.#source.name} was abandoned after the last attempt`,
      )
    }
    const retrySeconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempt - 1), LONGEST_RETRY_SECONDS)
    await noticed(notice, isDone || isLast ? null : { notify: left, retrySeconds })
  }

  #fieldsOf(notice: N) {
    return { [`${this.#source.name}Id`]: this.#source.idOf(notice), attempt: notice.attempt }
  }

  #linkOf(notice: N): string | null {
    try {
      return this.#source.linkOf(notice)
    } catch (err) {
      this.#log.error(
        { ...this.#fieldsOf(notice), err },
        `the link of the ${this.#source.name} cannot be opened`,
      )
      return null
    }
  }

  async #tries(notice: N, link: string, message: Message): Promise<boolean> {
    try {
      if (message.kind === 'webhook') await this.#source.call(notice, link, message.url)
      else await this.#mail(notice, link, message.to)
      return true
    } catch (error) {
      // Neither address nor text is logged: a URL may contain a secret.
      const reason = failureReason(error)
      const fields = { ...this.#fieldsOf(notice), kind: message.kind, reason }
      this.#log.warn(fields, `a notice of the ${this.#source.name} failed`)
      return false
    }
  }

  async #mail(notice: N, link: string, to: string): Promise<void> {
    if (this.#mailer.sends) return this.#mailer.send(this.#source.mailOf(notice, link, to))
    this.#log.info(
      this.#fieldsOf(notice),
      `no e-mail was sent about the ${this.#source.name}, because SMTP_URL is not set`,
    )
  }

  /** Waits for active deliveries; accepts no new ones. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#turn
  }
}
