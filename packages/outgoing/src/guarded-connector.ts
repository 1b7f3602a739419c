import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { BlockedAddressError } from './blocked-address-error.ts'

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveWithSystem: Resolve = (hostname, done) =>
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []))

/**
 * Connects only to allowed addresses. The name is resolved once, and the socket connects to exactly the
 * checked addresses: without a second lookup, DNS rebinding has no effect.
 */
export function guardedConnector(
  isAllowed: AddressGuard,
  timeoutMs: number,
  resolve: Resolve = resolveWithSystem,
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return callback(new BlockedAddressError(), '', 0)
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ timeout: timeoutMs, lookup, allowH2: false })
  return (options, callback) => {
    // A literal address skips the lookup, so it is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(new BlockedAddressError(), null)
    connect(options, callback)
  }
}
