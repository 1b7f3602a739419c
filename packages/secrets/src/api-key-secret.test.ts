import { expect, test } from 'vitest'
import {
  hashApiKeySecret,
  isMintedApiKeySecret,
  mayBeApiKeySecret,
  mintApiKeySecret,
} from './api-key-secret.ts'

test('minted keys are unique, recognisable and carry their checksum', () => {
  const keys = Array.from({ length: 200 }, mintApiKeySecret)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^trp_[0-9A-Za-z]{49}$/)
    expect(isMintedApiKeySecret(key)).toBe(true)
    expect(isMintedApiKeySecret(`${key.slice(0, 9)}${key[9] === 'a' ? 'b' : 'a'}${key.slice(10)}`)).toBe(
      false,
    )
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
])('%j is no key', (value) => {
  expect(mayBeApiKeySecret(value)).toBe(false)
})
