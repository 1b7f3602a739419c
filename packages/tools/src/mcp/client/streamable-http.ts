import { McpFailure } from './mcp-failure.ts'

const MAX_REDIRECTS = 3
/** The redirects that keep the method and the body. */
const REPEATED = new Set([307, 308])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ACCEPTED = { POST: 'application/json, text/event-stream', GET: 'text/event-stream', DELETE: '*/*' }

type Method = keyof typeof ACCEPTED

/** The address of requests, and the headers of each of them. */
export interface HttpEndpoint {
  /** May contain a credential, as the headers may: never logged, and hidden in results. */
  url: string
  headers: Readonly<Record<string, string>>
  /** The forms of its credential to hide; absent or empty if it has none. */
  secrets?: readonly string[]
}

/** The HTTP requests of one session, according to the transport "Streamable HTTP". */
export class StreamableHttp {
  readonly #endpoint: HttpEndpoint
  readonly #fetch: typeof globalThis.fetch
  readonly #onAnswer: () => void
  #sessionId: string | null = null
  #version: string | null = null

  /**
   * @param fetch The guarded `fetch`.
   * @param onAnswer Called when the server has sent any HTTP response.
   */
  constructor(endpoint: HttpEndpoint, fetch: typeof globalThis.fetch, onAnswer: () => void) {
    this.#endpoint = endpoint
    this.#fetch = fetch
    this.#onAnswer = onAnswer
  }

  /** Whether the server has assigned an id to the session. */
  get hasSessionId(): boolean {
    return this.#sessionId !== null
  }

  /** Sends the negotiated version of the protocol in every later request. */
  use(version: string): void {
    this.#version = version
  }

  async post(message: object, signal: AbortSignal): Promise<Response> {
    const response = await this.#send(
      'POST',
      { 'content-type': 'application/json' },
      signal,
      JSON.stringify(message),
    )
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId
    return response
  }

  /** Requests the rest of an ended stream after an event. */
  resume(lastEventId: string, signal: AbortSignal): Promise<Response> {
    return this.#send('GET', { 'last-event-id': lastEventId }, signal)
  }

  /** Ends the session; no effect if it has no id. */
  async end(signal: AbortSignal): Promise<void> {
    if (this.#sessionId !== null) await discard(await this.#send('DELETE', {}, signal))
  }

  async #send(
    method: Method,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<Response> {
    const headers = new Headers(this.#endpoint.headers)
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    headers.set('accept', ACCEPTED[method])
    if (this.#sessionId !== null) headers.set('mcp-session-id', this.#sessionId)
    if (this.#version !== null) headers.set('mcp-protocol-version', this.#version)
    // A header of any name may be a credential, and so may a part of the address.
    const { secrets = [], headers: configured } = this.#endpoint
    const mayTell = secrets.length > 0 || Object.keys(configured).length > 0
    const credentials = mayTell ? ('include' as const) : ('omit' as const)
    let url = new URL(this.#endpoint.url)
    for (let hops = 0; ; hops += 1) {
      const init = { method, headers, signal, credentials, redirect: 'manual' as const }
      const response = await this.#fetch(url, body === undefined ? init : { ...init, body })
      this.#onAnswer()
      if (!REDIRECTS.has(response.status)) return response
      await discard(response)
      url = redirected(url, response, hops)
    }
  }
}

/**
 * The target of a redirect. Only redirects to the same origin that keep the method are followed, because the headers,
 * which may be credentials, are sent along.
 *
 * @throws McpFailure for any other redirect
 */
function redirected(from: URL, { status, headers }: Response, hops: number): URL {
  const location = headers.get('location') ?? ''
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null
  const isSame = to?.origin === from.origin && to.username === from.username && to.password === from.password
  if (to && isSame && REPEATED.has(status) && hops < MAX_REDIRECTS) return to
  const where = to && /^https?:$/.test(to.protocol) ? ` to ${to.origin}${to.pathname}` : ''
  const why = 'which is not followed, because headers would be sent along: use the final address'
  throw new McpFailure('refused', `It answered with a redirect${where}, ${why}.`)
}

/** The media type of a body in lower case, without its parameters; null if there is none. */
export function mediaTypeOf({ headers }: Response): string | null {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? null
}

/** Releases the connection of an unread response. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}
