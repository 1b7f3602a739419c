/** Any function with the shape of the global `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** How a client reaches its server. */
export interface ClientOptions {
  /** Origin of the server with an optional path prefix, without `/api/v1`: `https://troupe.example.com`. */
  baseUrl: string
  /** The API key, sent as `X-API-Key` and nowhere else. */
  apiKey: string
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: Fetch
  /** Milliseconds until a call is given up; 60 000 when absent. A streaming run is bound only until it begins. */
  timeoutMs?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

/** What one call may set. */
export interface CallOptions {
  /** Gives up the call: its result has the code `aborted`. */
  signal?: AbortSignal
  /** Milliseconds; replaces the client's limit for this call. */
  timeoutMs?: number
}

/** What a call that starts a run may set. */
export interface RunOptions extends CallOptions {
  /** 1 to 255 characters: the same key with the same body answers with the first run instead of starting another. */
  idempotencyKey?: string
}

/** The checked options, every default applied. */
export interface Connection {
  /** Without a slash at the end. */
  baseUrl: string
  apiKey: string
  fetch: Fetch
  timeoutMs: number
  headers: Readonly<Record<string, string>>
}

const DEFAULT_TIMEOUT_MS = 60_000

function checkedBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl must be an absolute URL')
  const url = new URL(baseUrl)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('baseUrl must be http or https')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no credentials, query or fragment')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Checks the options once. Throws `TypeError` for options that can never work, without repeating their values. */
export function connectionOf(options: ClientOptions): Connection {
  // A header value that fetch refuses would be repeated in its error text: refuse it here.
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new TypeError('apiKey must be visible ASCII characters without spaces')
  }
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be above 0')
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    // Not stored as a method: browsers refuse a `fetch` that is called on another object than the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    headers: options.headers ?? {},
  }
}
