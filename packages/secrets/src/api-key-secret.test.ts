import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashApiKeySecret, mayBeApiKeySecret, mintApiKeySecret } from './api-key-secret.ts'

/** The checksum as a scanner for leaked keys computes it: the last six base62 digits of the first eight bytes of the hash. */
function checksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = createHash('sha256').update(body).digest().readBigUInt64BE()
  let text = ''
  for (; text.length < 6; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text
}

test('minted keys are unique, recognisable and carry their checksum', () => {
  const keys = Array.from({ length: 200 }, mintApiKeySecret)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^trp_[0-9A-Za-z]{49}$/)
    expect(key.slice(-6)).toBe(checksum(key.slice(4, -6)))
  }
})

test('only a hash is stored', () => {
  expect(hashApiKeySecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.each([
  undefined,
  '',
  'short',
  'x'.repeat(201),
  ['a-key-twice', 'a-key-twice'],
])('%j is not a key', (value) => {
  expect(mayBeApiKeySecret(value)).toBe(false)
})
