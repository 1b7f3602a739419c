import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'
import { BlockedAddressError } from './blocked-address-error.ts'

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveWithSystem: Resolve = (hostname, done) =>
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []))

/** Looks a name up and returns only its allowed addresses; none: BlockedAddressError with the message. */
export function guardedLookup(
  isAllowed: AddressGuard,
  resolve: Resolve = resolveWithSystem,
  refusal?: string,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return callback(new BlockedAddressError(refusal), '', 0)
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
}
