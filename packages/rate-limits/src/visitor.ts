import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

/** The visitor of an endpoint that needs no key, and the requested token. */
export interface Visitor {
  /** The address of the connection, or the one reported by a trusted proxy. */
  ip: string
  /** The address by which the visitor is counted if the peer may be a proxy that is not configured; null: shared by many visitors. */
  countedAddress: string | null
  /** The token in the requested path, unparsed. */
  token: string
}

/** The visitor who sent a request. Every limit of an endpoint that needs no key counts it in the same way. */
export function visitorOf({ ip, countedAddress }: Omit<Visitor, 'token'>, token: string): Visitor {
  return { ip, countedAddress, token }
}

/**
 * The name under which an address is counted. Providers assign each customer a /64 of IPv6, so counting
 * single addresses would limit no visitor.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - last.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...last]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** A short hash for a token of any length; the token itself is never sent to the counter store. */
export function nameOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22)
}
