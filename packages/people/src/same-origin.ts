import type { RequestHeaders } from '@troupe/contract'
import { DomainError } from '@troupe/contract'

/** @throws DomainError `forbidden` */
export type OriginCheck = (request: { readonly headers: RequestHeaders }) => void

/**
 * Accepts an `Origin` that matches the public URL or the request's `Host`: a laptop is reached as `localhost`
 * and as `127.0.0.1`, and a foreign page cannot choose `Host`. Pages with forms must not use
 * `Referrer-Policy: no-referrer`: their `Origin` would be `null`.
 */
export function createOriginCheck(publicUrl: string): OriginCheck {
  const { origin, protocol } = new URL(publicUrl)
  return ({ headers }) => {
    const sent = headers.origin
    if (typeof sent === 'string' && (sent === origin || sent === `${protocol}//${headers.host}`)) return
    throw new DomainError('forbidden', 'This request must come from a page of this server.', {
      internal: `the Origin is ${JSON.stringify(sent ?? null)}`,
    })
  }
}
