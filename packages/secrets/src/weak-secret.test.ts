import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mintApiKeySecret } from './api-key-secret.ts'
import { weakSecretFault } from './weak-secret.ts'

test.each([
  ['the 8 characters that were once enough', 'pa55word', /^must have at least 24 characters/],
  ['a short sentence', 'secret-of-the-company', /^must have at least 24 characters/],
  ['one character', 'a'.repeat(64), /^must have at least 8 different characters/],
  ['few characters', 'abcabcdabcdeabcdefabcdefab', /^must have at least 8 different characters/],
  ['a word over and over', 'hunter-2'.repeat(4), /^must not be a repetition/],
  ['the alphabet', 'abcdefghijklmnopqrstuvwxyz', /^must not be a repetition or a sequence/],
  ['digits and the alphabet', '0123456789abcdefghijklmnop', /^must not be a repetition or a sequence/],
])('%s is too weak, and the message has the reason and a remedy', (_name, secret, reason) => {
  expect(weakSecretFault(secret)).toMatch(reason)
  expect(weakSecretFault(secret)).toContain('openssl rand -hex 32')
  expect(weakSecretFault(secret)).not.toContain(secret)
})

test('random secrets of every usual form are accepted', () => {
  const forms = [
    () => randomBytes(16).toString('hex'),
    () => randomBytes(18).toString('base64'),
    () => randomBytes(32).toString('base64url'),
    randomUUID,
    mintApiKeySecret,
  ]
  for (const form of forms) {
    const refused = Array.from({ length: 5_000 }, form).filter((secret) => weakSecretFault(secret) !== null)
    expect(refused).toEqual([])
  }
})
