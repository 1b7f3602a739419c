import { BlockList, isIP } from 'node:net'

const NAMED: Record<string, readonly string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether a listening address is reachable only from this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Parses `10.0.0.0/8` or a single address; null when the text is neither. */
export function parseRange(
  range: string,
): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const widest = version === 4 ? 32 : 128
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (!(prefix >= 0 && prefix <= widest)) return null
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Expands names, addresses and CIDR ranges into plain ranges; `invalid` lists every other entry. */
export function expandNetworks(parts: readonly string[]): { ranges: string[]; invalid: string[] } {
  const ranges: string[] = []
  const invalid: string[] = []
  for (const part of parts) {
    const named = NAMED[part.toLowerCase()]
    if (named) ranges.push(...named)
    else if (parseRange(part)) ranges.push(part)
    else invalid.push(part)
  }
  return { ranges, invalid }
}

/** A block list with the given ranges, all of them valid; see {@link expandNetworks}. */
export function networkList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const parsed = parseRange(range)
    if (!parsed) throw new TypeError(`not a network: ${range}`)
    list.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  return list
}
