import { expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'

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
