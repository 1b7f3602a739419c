import { describe, expect, test } from 'vitest'
import { countedAddress, isPrivateAddress, ProxySigns } from './proxies.ts'

test.each([
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '10.0.0.5',
  '172.18.0.3',
  '192.168.1.1',
  'fd00::5',
  'fe80::1%eth0',
])('%s is of this machine or a private network', (address) => expect(isPrivateAddress(address)).toBe(true))
test.each([
  '203.0.113.9',
  '::ffff:203.0.113.9',
  '2001:db8::1',
  '172.32.0.1',
  '',
  'unix:',
])('%s is not', (address) => expect(isPrivateAddress(address)).toBe(false))

describe('signs of a proxy', () => {
  test('are reported once, from private peers only', () => {
    const told: string[] = []
    const signs = new ProxySigns((header) => told.push(header))
    signs.look('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' })
    signs.look('127.0.0.1', { host: 'localhost' })
    signs.look(undefined, { 'x-forwarded-for': '198.51.100.1' })
    expect([signs.seen, told]).toEqual([false, []])
    signs.look('127.0.0.1', { 'x-forwarded-proto': 'https' })
    signs.look('::1', { 'x-forwarded-for': '198.51.100.1' })
    expect([signs.seen, told]).toEqual([true, ['x-forwarded-proto']])
  })
})

describe('the address that failures are counted by', () => {
  const alone = { isBehindProxy: false }
  const behind = { isBehindProxy: true }
  const of = (ip: string, forwarded: string | undefined, settings = alone) =>
    countedAddress({ ip, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }, settings)

  test('is the one of the connection without a proxy', () => {
    expect(of('127.0.0.1', undefined)).toBe('127.0.0.1')
    // A stranger that connects directly can report any address.
    expect(of('203.0.113.9', '198.51.100.1', behind)).toBe('203.0.113.9')
  })

  test('is what the nearest proxy reports, however it is written', () => {
    for (const [text, address] of [
      ['198.51.100.1', '198.51.100.1'],
      ['10.9.9.9, 198.51.100.1', '198.51.100.1'],
      ['made up,198.51.100.1:4711', '198.51.100.1'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
      ['2001:db8::7', '2001:db8::7'],
      ['unknown', null],
      ['198.51.100.1,', null],
      ['', null],
    ] as const) {
      expect([text, of('127.0.0.1', text)]).toEqual([text, address])
      expect([text, of('172.18.0.3', text, behind)]).toEqual([text, address])
    }
    expect(countedAddress({ ip: '::1', headers: { 'x-real-ip': '198.51.100.1' } }, alone)).toBe(
      '198.51.100.1',
    )
  })

  test('is none where every peer is a proxy that reports nothing', () => {
    expect(of('127.0.0.1', undefined, behind)).toBeNull()
    expect(countedAddress({ ip: '127.0.0.1', headers: { 'x-forwarded-proto': 'https' } }, alone)).toBeNull()
  })

  test('is what a trusted proxy reports, without the port', () => {
    const through = (ip: string) =>
      countedAddress({ ip, ips: ['172.18.0.1', ip], headers: { 'x-forwarded-for': ip } }, behind)
    expect(through('198.51.100.1')).toBe('198.51.100.1')
    expect(through('198.51.100.1:4711')).toBe('198.51.100.1')
    expect(through('10.0.0.8')).toBe('10.0.0.8')
    expect(through('unknown')).toBeNull()
  })

  test('is what a proxy outside the configured networks reports', () => {
    // Docker's later networks, podman's, and an IPv6 network; fastify then lists only the peer.
    for (const ip of ['192.168.96.1', '10.89.0.1', 'fd00:dead:beef::1']) {
      const headers = { 'x-forwarded-for': '198.51.100.1' }
      expect(countedAddress({ ip, ips: [ip], headers }, behind)).toBe('198.51.100.1')
      expect(countedAddress({ ip, ips: [ip], headers: {} }, behind)).toBeNull()
    }
    const stranger = { ip: '203.0.113.9', ips: ['203.0.113.9'] }
    expect(countedAddress({ ...stranger, headers: { 'x-forwarded-for': '198.51.100.1' } }, behind)).toBe(
      '203.0.113.9',
    )
  })
})
