import { isIP } from 'node:net'
import type { RequestHeaders } from '@troupe/contract'
import { DomainError } from '@troupe/contract'

/** @throws DomainError `forbidden` */
export type OriginCheck = (request: { readonly headers: RequestHeaders }) => void

/** The address of the server's pages. */
export interface PageAddress {
  publicUrl: string
  /** Whether the operator configured it; otherwise the public URL is a guess, and the pages are at addresses of this machine. */
  hasPublicUrl: boolean
}

/**
 * Accepts an `Origin` that equals the public URL's. On a laptop pages are opened as `localhost` and as `127.0.0.1`, and without a public
 * URL at any address of the machine: there an `Origin` that equals the request's `Host` passes too, but only a literal address or
 * `localhost`. The owner of any other name could resolve it to this server for a page of theirs (DNS rebinding). Pages with forms must not
 * use `Referrer-Policy: no-referrer`: their `Origin` would be `null`.
 */
export function createOriginCheck({ publicUrl, hasPublicUrl }: PageAddress): OriginCheck {
  const { origin, protocol, hostname } = new URL(publicUrl)
  const isHere = isLoopback(hostname)
  const mayBeHost = (host: string) => isHere && (isLoopback(host) || (!hasPublicUrl && isLiteral(host)))
  return ({ headers }) => {
    const sent = headers.origin
    if (typeof sent === 'string') {
      if (sent === origin) return
      const asked = sent === `${protocol}//${headers.host}` ? URL.parse(sent)?.hostname : undefined
      if (asked !== undefined && mayBeHost(asked)) return
    }
    throw new DomainError(
      'forbidden',
      `This request must come from a page of this server, which is at ${origin}.`,
      {
        internal: `the Origin is ${JSON.stringify(sent ?? null)}; TROUPE_PUBLIC_URL says where the pages are`,
      },
    )
  }
}

const isLiteral = (hostname: string) => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
