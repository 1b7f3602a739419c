import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressGuard } from './address-guard.ts'
import { BlockedAddressError } from './blocked-address-error.ts'
import { guardedLookup, type Resolve } from './guarded-lookup.ts'

/**
 * Connects only to allowed addresses. The name is resolved once, and the socket connects to exactly the
 * checked addresses: without a second lookup, DNS rebinding has no effect.
 */
export function guardedConnector(
  isAllowed: AddressGuard,
  timeoutMs: number,
  resolve?: Resolve,
  refusal?: string,
): buildConnector.connector {
  const lookup = guardedLookup(isAllowed, resolve, refusal)
  const connect = buildConnector({ timeout: timeoutMs, lookup, allowH2: false })
  return (options, callback) => {
    // A literal address skips the lookup, so it is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(new BlockedAddressError(refusal), null)
    connect(options, callback)
  }
}
