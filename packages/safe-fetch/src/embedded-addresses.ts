/** The number of groups of an IPv6 address. */
const GROUPS = 8

/**
 * The IPv4 addresses to which a tunnel or a translator would send a packet for this IPv6 address: IPv4-compatible (RFC 4291), translated
 * (RFC 2765), NAT64 (RFC 6052 and 8215), 6to4 (RFC 3056), Teredo (RFC 4380) and ISATAP (RFC 5214). Empty for every other address.
 *
 * @param address in the form of the URL parser, without brackets and zone; mapped addresses (`::ffff:…`) are IPv4 addresses already
 */
export function embeddedAddresses(address: string): string[] {
  const groups = groupsOf(address)
  const at = (index: number) => groups[index] ?? 0
  const v4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const last = v4(at(6), at(7))
  const startsWith = (...given: number[]) => given.every((group, index) => at(index) === group)
  if (startsWith(0, 0, 0, 0, 0, 0)) return at(6) === 0 ? [] : [last]
  if (startsWith(0, 0, 0, 0, 0xff_ff, 0)) return [last]
  if (startsWith(0x64, 0xff_9b, 0, 0, 0, 0)) return [last]
  // The local prefix is 48 bits, and networks choose the position of the address after it: immediately, or in the last 32 bits.
  if (startsWith(0x64, 0xff_9b, 1)) {
    return [last, v4(at(3), ((at(4) & 255) << 8) | (at(5) >> 8))]
  }
  if (startsWith(0x20_02)) return [v4(at(1), at(2))]
  if (startsWith(0x20_01, 0)) return [v4(at(2), at(3)), v4(at(6) ^ 0xff_ff, at(7) ^ 0xff_ff)]
  return (at(4) & 0xfd_ff) === 0 && at(5) === 0x5e_fe ? [last] : []
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const parse = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, rest] = [parse(head), parse(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - first.length - rest.length)
  return [...first, ...Array.from({ length: zeros }, () => 0), ...rest]
}
