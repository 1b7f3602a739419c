import type { WebhookDelivery, WebhookLog } from '@troupe/storage'

const FLUSH_MS = 250
const FLUSH_ROWS = 200
/** Maximum deliveries buffered while the database does not respond; the oldest are dropped. */
const MAX_WAITING = 2_000
/** Maximum logged bytes of one body. */
const MAX_LOGGED_BODY = 64 * 1024

const HIDDEN = '[hidden]'
const SECRET_HEADER = /authorization|cookie|signature|secret|token|password|api-?key/i
const MAX_HEADERS = 50
const MAX_HEADER_LENGTH = 500

/** The headers of a delivery for the webhook's owner: credentials hidden, count and length capped. */
export function loggedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, MAX_HEADERS)
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? HIDDEN : String(value ?? '').slice(0, MAX_HEADER_LENGTH),
    ]),
  )
}

/** The body of a delivery as text, truncated. */
export function loggedBody(raw: Buffer): Pick<WebhookDelivery, 'body' | 'bodyBytes'> {
  return { body: raw.subarray(0, MAX_LOGGED_BODY).toString('utf8'), bodyBytes: raw.length }
}

/**
 * Writes deliveries in batches after the response: no run depends on this log. Buffered rows are lost if the
 * process crashes.
 */
export class DeliveryRecorder implements AsyncDisposable {
  readonly #log: WebhookLog
  readonly #failed: (error: unknown) => void
  #waiting: WebhookDelivery[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(log: WebhookLog, failed: (error: unknown) => void) {
    this.#log = log
    this.#failed = failed
  }

  record(delivery: WebhookDelivery): void {
    if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift()
    this.#waiting.push(delivery)
    if (this.#waiting.length === FLUSH_ROWS) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes the buffered deliveries; resolves when they are written. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const batch = this.#waiting
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#log.append(batch)).catch(this.#failed)
    return this.#writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }
}
