import type { RequestHeaders } from '@troupe/contract'
import { DomainError } from '@troupe/contract'

/** @throws DomainError `forbidden` */
export type OriginCheck = (request: { readonly headers: RequestHeaders }) => void

/**
 * Compares `Origin` with the public URL, and with the host that the request was sent to: a laptop is reached as
 * `localhost` and as `127.0.0.1`. A page of another site has another host in its `Origin`, and cannot choose `Host`.
 * Pages with forms must not be sent with `Referrer-Policy: no-referrer`: their `Origin` would be `null`.
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
