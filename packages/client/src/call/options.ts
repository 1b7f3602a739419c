/** Any function with the shape of the global `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** The connection options of a client. */
export interface ClientOptions {
  /** Origin of the server with an optional path prefix, without `/api/v1`: `https://troupe.example.com`. */
  baseUrl: string
  /** The API key, sent as `X-API-Key` and nowhere else. */
  apiKey: string
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: Fetch
  /** Timeout of a call in milliseconds; 60 000 by default. A streaming run is bound only until it begins. */
  timeoutMs?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call: its result has the code `aborted`. */
  signal?: AbortSignal
  /** Timeout of this call in milliseconds; overrides the client's. */
  timeoutMs?: number
}

/** The options of a call that starts a run. */
export interface RunOptions extends CallOptions {
  /**
   * 1 to 255 characters: repeating the key with the same body returns the first run instead of starting
   * another.
   */
  idempotencyKey?: string
}

/** The validated options with all defaults. */
export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string
  /** null: the browser's session cookie authenticates the calls. */
  apiKey: string | null
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

/** The connection of a page to the server that it came from. */
export function sessionConnection(origin: string): Connection {
  return {
    baseUrl: checkedBaseUrl(origin),
    apiKey: null,
    fetch: (input, init) => globalThis.fetch(input, init),
    timeoutMs: DEFAULT_TIMEOUT_MS,
    headers: {},
  }
}

/** Validates the options. Throws `TypeError` for unusable options, without repeating their values. */
export function connectionOf(options: ClientOptions): Connection {
  // fetch would repeat an invalid header value in its error message, so it is refused here.
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new TypeError('apiKey must be visible ASCII characters without spaces')
  }
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be above 0')
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    // Not called as a method: browsers refuse a `fetch` whose `this` is not the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    headers: options.headers ?? {},
  }
}
