import type { WebhookDelivery, WebhookLog } from '@troupe/database'

const FLUSH_MS = 250
const FLUSH_ROWS = 200
/** What waits while the database does not answer; the oldest leave. */
const MAX_WAITING = 2_000
/** Of one body; of all that wait together. */
const MAX_LOGGED_BODY = 64 * 1024

const HIDDEN = '[hidden]'
const SECRET_HEADER = /authorization|cookie|signature|secret|token|password|api-?key/i
const MAX_HEADERS = 50
const MAX_HEADER_LENGTH = 500

/** The headers of a delivery as its owner may see them: no credential, nothing without end. */
export function loggedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, MAX_HEADERS)
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? HIDDEN : String(value ?? '').slice(0, MAX_HEADER_LENGTH),
    ]),
  )
}

/** The body of a delivery as text, cut. */
export function loggedBody(raw: Buffer): Pick<WebhookDelivery, 'body' | 'bodyBytes'> {
  return { body: raw.subarray(0, MAX_LOGGED_BODY).toString('utf8'), bodyBytes: raw.length }
}

/**
 * Writes deliveries behind their answers, many at once: the log is for people, and no run depends on it. What waits is
 * lost with the process.
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

  /** Writes what waits; resolves when it is written. Never rejects. */
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
