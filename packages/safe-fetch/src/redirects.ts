import { BlockedAddressError } from './blocked-address-error.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that may be sent to another origin; any other header may be a credential. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** The next request after a redirect. */
export interface Hop {
  url: URL
  init: RequestInit
}

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * The request that follows a redirect. Credentials never leave their origin, and https is never downgraded to
 * http.
 *
 * @throws BlockedAddressError when the redirect must not be followed
 */
export function followRedirect(from: URL, init: RequestInit, status: number, location: string | null): Hop {
  if (!location || !URL.canParse(location, from.href)) {
    throw new BlockedAddressError('The server answered with a redirect that has no valid address.')
  }
  const url = new URL(location, from)
  if (!/^https?:$/.test(url.protocol) || (from.protocol === 'https:' && url.protocol === 'http:')) {
    throw new BlockedAddressError('The server answered with a redirect to a protocol that is not allowed.')
  }
  const headers = new Headers(init.headers)
  const next: RequestInit = { ...init, headers }
  const method = (init.method ?? 'GET').toUpperCase()
  if (status === 303 || (method === 'POST' && (status === 301 || status === 302))) {
    next.method = method === 'HEAD' ? 'HEAD' : 'GET'
    delete next.body
    headers.delete('content-type')
    headers.delete('content-length')
  } else if (init.body != null && typeof init.body !== 'string' && !ArrayBuffer.isView(init.body)) {
    throw new BlockedAddressError('The server answered a streamed request with a redirect.')
  }
  if (url.origin !== from.origin) {
    for (const name of [...headers.keys()]) if (!HARMLESS_HEADERS.has(name)) headers.delete(name)
  }
  return { url, init: next }
}
