import { describe, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { unreachableNetworks } from './platform-networks.ts'

const publicOnly = createAddressGuard([])

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
])('%s is public', (address) => expect(publicOnly(address)).toBe(true))

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:169.254.169.254',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fc00::1',
  'fd12:3456:789a::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  '2130706433',
  '0177.0.0.1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '::ffff:a83f:8110',
  '64:ff9b::a83f:8110',
  '2002:a83f:8110::1',
  '100.100.100.200',
  'fd00:100::100:200',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fec0::1',
  '2600:1f00::5efe:7f00:1',
  '2600:1f00::200:5efe:a9fe:a9fe',
  '',
])('%s is refused', (address) => expect(publicOnly(address)).toBe(false))

test('allowed ranges open private addresses, and only those', () => {
  const guard = createAddressGuard(['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8'])
  expect(['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00::5'].map(guard)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['10.2.0.1', '::1', '192.168.0.1', 'fc00::1'].map(guard)).toEqual([false, false, false, false])
})

describe('addresses of clouds and links', () => {
  const anything = createAddressGuard(['0.0.0.0/0', '::/0'])
  // The providers' documented metadata addresses; see platform-networks.ts.
  const PLATFORM = [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.0.23',
    '169.254.42.42',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    'fd00:100::100:200',
    'fe80::a9fe:a9fe%eth0',
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '::ffff:0:a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '2002:a9fe:a9fe::',
    '2001:0:a9fe:a9fe::',
    '2001:0:102:304::5601:5601',
    '2600:1f00::5efe:a9fe:a9fe',
  ]
  test.each(PLATFORM)('%s is refused regardless of the allowed addresses', (address) =>
    expect(anything(address)).toBe(false))

  test('an allowed range opens what tunnels lead to only together with the address inside', () => {
    const tunnels = createAddressGuard(['64:ff9b::/96', '2002::/16', '10.0.0.0/8'])
    expect(['64:ff9b::808:808', '64:ff9b::a00:1', '2002:a00:1::1'].map(tunnels)).toEqual([true, true, true])
    expect(['64:ff9b::7f00:1', '64:ff9b::c0a8:1', '2002:7f00:1::1'].map(tunnels)).toEqual([
      false,
      false,
      false,
    ])
    expect(anything('::')).toBe(true)
    expect(anything('::1')).toBe(true)
  })

  test('ranges without effect are reported', () => {
    const ranges = [
      '169.254.10.0/24',
      '168.63.129.16',
      'fd00:ec2::254',
      'fc00::/7',
      '168.63.129.0/24',
      '10.0.0.1',
    ]
    expect(unreachableNetworks(ranges)).toEqual(['169.254.10.0/24', '168.63.129.16', 'fd00:ec2::254'])
  })
})
