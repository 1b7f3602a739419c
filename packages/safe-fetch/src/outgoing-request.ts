import type { Dispatcher } from 'undici'

/** Ports of other protocols that a request could be mistaken for: those that `fetch` blocks. */
const BLOCKED_PORTS = new Set(
  [
    ...[
      1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
      109,
    ],
    ...[
      110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
      530,
    ],
    ...[
      531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659,
      4045,
    ],
    ...[4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ].map(String),
)

/** A request without its address, as sent over a connection. */
type Sent = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'>

/**
 * The request that `fetch` would send: with its default headers, and the type of a body.
 *
 * @throws TypeError for requests that `fetch` refuses
 */
export async function outgoingRequest(url: URL, init: RequestInit): Promise<Sent> {
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('Request cannot be constructed from a URL that includes credentials.')
  }
  if (BLOCKED_PORTS.has(url.port)) throw new TypeError('fetch failed', { cause: new Error('bad port') })
  const method = (init.method ?? 'GET').toUpperCase()
  const headers = new Headers(init.headers)
  const body = await bytesOf(init.body, headers)
  if (body !== null && (method === 'GET' || method === 'HEAD')) {
    throw new TypeError('Request with GET/HEAD method cannot have body.')
  }
  const defaults = {
    accept: '*/*',
    'accept-encoding': url.protocol === 'https:' ? 'br, gzip, zstd' : 'gzip',
    'accept-language': '*',
    'user-agent': 'undici',
  }
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value)
  return { method, headers: Object.fromEntries(headers), body }
}

/** The bytes of a body; sets `content-type` if the body has one and the caller has set none. */
async function bytesOf(body: RequestInit['body'], headers: Headers): Promise<string | Uint8Array | null> {
  if (body === null || body === undefined) return null
  if (typeof body === 'string') {
    if (!headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8')
    return body
  }
  const made = new Response(body)
  const type = made.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  return new Uint8Array(await made.arrayBuffer())
}
