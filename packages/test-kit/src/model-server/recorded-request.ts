import type { IncomingHttpHeaders } from 'node:http'

/** A request body in the OpenAI protocol, limited to the fields that tests read. */
export interface RecordedBody {
  model?: string
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  messages?: { role: string; content: unknown; [key: string]: unknown }[]
  tools?: { type: string; function: { name: string; [key: string]: unknown } }[]
  tool_choice?: unknown
  response_format?: unknown
  input?: string | string[]
  [key: string]: unknown
}

/** A request as received by the server. */
export class RecordedRequest {
  readonly method: string
  /** Path without the query, with the `/v1` prefix. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON body; `{}` when there was none or it was not JSON. */
  readonly body: RecordedBody
  /** Milliseconds since the epoch. */
  readonly receivedAt: number = Date.now()
  /**
   * When the client's socket closed before the response had ended (ms since the epoch); null if it did not.
   */
  abortedAt: number | null = null
  #waiting: ((at: number) => void)[] = []

  constructor(method: string, path: string, headers: IncomingHttpHeaders, body: RecordedBody) {
    this.method = method
    this.path = path
    this.headers = headers
    this.body = body
  }

  /** Resolves with {@link abortedAt}; never when the response ended first. */
  get aborted(): Promise<number> {
    if (this.abortedAt !== null) return Promise.resolve(this.abortedAt)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Called by the server when the client disconnects. */
  markAborted(): void {
    this.abortedAt = Date.now()
    for (const resolve of this.#waiting) resolve(this.abortedAt)
    this.#waiting = []
  }
}
