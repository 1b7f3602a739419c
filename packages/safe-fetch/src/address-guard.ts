import { type BlockList, isIP } from 'node:net'
import { embeddedAddresses } from './embedded-addresses.ts'
import { networkList } from './networks.ts'
import { platformNetworks } from './platform-networks.ts'

/** Every range that is not public unicast (IANA special-purpose registries). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/**
 * Only 2000::/3 is public, except its tunnel ranges, which embed other addresses, and its documentation
 * ranges.
 */
const PUBLIC_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublic4 = networkList(NOT_PUBLIC_V4)
const public6 = networkList(PUBLIC_V6)
const notPublic6 = networkList(NOT_PUBLIC_V6)

/** Whether connecting to an IP address is allowed. */
export type AddressGuard = (address: string) => boolean

/**
 * Allows public addresses, and private ones only inside the given ranges; never those of a cloud platform. An IPv6 address that embeds an
 * IPv4 address is allowed only if that one is. Anything but an IP address is refused.
 */
export function createAddressGuard(allowedRanges: readonly string[]): AddressGuard {
  const allowed: BlockList = networkList(allowedRanges)
  const isAllowed4 = (address: string) =>
    !platformNetworks.check(address, 'ipv4') &&
    (allowed.check(address, 'ipv4') || !notPublic4.check(address, 'ipv4'))
  return (address) => {
    const plain = unmapped(address)
    const version = isIP(plain)
    if (version === 4) return isAllowed4(plain)
    if (version !== 6 || platformNetworks.check(plain, 'ipv6')) return false
    const isPublic = public6.check(plain, 'ipv6') && !notPublic6.check(plain, 'ipv6')
    return (isPublic || allowed.check(plain, 'ipv6')) && embeddedAddresses(plain).every(isAllowed4)
  }
}

/** Allows only the given ranges, without public addresses; never those of a cloud platform. */
export function createRangeGuard(ranges: readonly string[]): AddressGuard {
  const within = networkList(ranges)
  const isAllowed = createAddressGuard(ranges)
  return (address) => {
    const plain = unmapped(address)
    const version = isIP(plain)
    return version !== 0 && within.check(plain, version === 4 ? 'ipv4' : 'ipv6') && isAllowed(plain)
  }
}

/**
 * The IPv4 address inside an IPv4-mapped IPv6 address, in either notation; other addresses without zone and
 * brackets.
 */
function unmapped(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').split('%', 1)[0] ?? ''
  if (isIP(bare) !== 6) return bare
  // The URL parser writes every IPv6 address in one canonical form.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
