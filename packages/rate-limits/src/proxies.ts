import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Headers that proxies add and that browsers and API clients do not send. */
const FORWARDED = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'cf-connecting-ip',
] as const

/** Networks of the operator's proxies; a stranger connects from none of them. */
const PRIVATE = new BlockList()
for (const [address, prefix, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const) {
  PRIVATE.addSubnet(address, prefix, family)
}

/** Whether the address belongs to this machine or a private network. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.split('%')[0] ?? ''
  const version = isIP(bare)
  // A block list reads IPv4-mapped IPv6 addresses as IPv4.
  return version !== 0 && PRIVATE.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}

type Headers = Readonly<IncomingHttpHeaders>

/** The first header that a proxy has added; null without one. */
function forwardingHeader(headers: Headers): string | null {
  return FORWARDED.find((name) => headers[name] !== undefined) ?? null
}

/**
 * Detects a proxy that is not configured: a request with a forwarding header from this machine or a private network. Then the server is
 * reachable from other machines, whatever HOST says.
 */
export class ProxySigns {
  readonly #onFirst: (header: string) => void
  #seen = false

  /** @param onFirst called once, with the header of the first sign */
  constructor(onFirst: (header: string) => void) {
    this.#onFirst = onFirst
  }

  /** Whether any request had a sign of a proxy. */
  get seen(): boolean {
    return this.#seen
  }

  /** Checks a request. `peer`: the address of the connection. */
  look(peer: string | undefined, headers: Headers): void {
    if (this.#seen || peer === undefined) return
    const header = forwardingHeader(headers)
    if (header === null || !isPrivateAddress(peer)) return
    this.#seen = true
    this.#onFirst(header)
  }
}

/** How visitors behind a possible proxy that is not configured are distinguished. */
export interface ProxySettings {
  /** Whether every peer on this machine is a proxy, as for a loopback server with a public URL. */
  isBehindProxy: boolean
}

/** The sender of a request, as reported by the HTTP server. */
export interface Sender {
  headers: Headers
  /** The address of the connection, or the one reported by a trusted proxy. */
  ip: string
  /** The peer and what trusted proxies reported, nearest first; absent or one address when no trusted proxy reported any. */
  ips?: readonly string[] | undefined
}

/**
 * The address by which the failures of a caller are counted: its own, or the last one that an unconfigured proxy reports. Reported
 * addresses may be forged, so they never identify the caller elsewhere; limits that count by them need a second one that does not.
 *
 * Configured proxies do not decide about this request: if the proxy is in another network than the configured one, its address is shared by
 * all visitors.
 *
 * @returns null for a visitor behind a proxy that reports none: many visitors share the address
 */
export function countedAddress(
  { ip, ips, headers }: Sender,
  { isBehindProxy }: ProxySettings,
): string | null {
  // The text of a trusted proxy, which may have a port: a different one for each connection of the same visitor.
  if (ips !== undefined && ips.length > 1) return addressIn(ip)
  if (!isPrivateAddress(ip)) return ip
  if (forwardingHeader(headers) === null) return isBehindProxy ? null : ip
  return reportedAddress(headers)
}

/** The address reported by the nearest proxy; null if invalid. */
function reportedAddress(headers: Headers): string | null {
  const text = [headers['x-forwarded-for'] ?? headers['x-real-ip'] ?? []].flat().join(',')
  // The nearest proxy appends the address of its peer; everything before it is unverified.
  return addressIn(text.slice(text.lastIndexOf(',') + 1).trim())
}

/** The address in a proxy's header, without the port; null if invalid. */
function addressIn(text: string): string | null {
  const [, bracketed, v4] = /^(?:\[([\da-f:.]{2,45})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/i.exec(text) ?? []
  const address = bracketed ?? v4 ?? text
  return isIP(address) === 0 ? null : address
}
