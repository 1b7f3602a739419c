import { expect, test } from 'vitest'
import { hideSecrets, MAX_SENTENCE_BYTES, shownSentence } from './hide-secrets.ts'

const CONNECTION = {
  credentials: { apiKey: 'the-key-of-the-tenant' },
  settings: { headers: { authorization: 'Bearer token-of-a-gateway', 'x-tenant': 'acme-tenant' } },
}

test.each([
  ['wrong key the-key-of-the-tenant', 'wrong key [secret]'],
  ['no token-of-a-gateway for acme-tenant', 'no [secret] for [secret]'],
  // OpenAI's form of repeating a key.
  [
    'Incorrect API key provided: sk-proj-********************yz12.',
    'Incorrect API key provided: [redacted].',
  ],
  ['sk-another-tenants-key-0123456789 is expired', '[redacted] is expired'],
  ['see https://ana:hunter2@gateway.test/x', 'see https://[redacted]@gateway.test/x'],
  [
    'POST https://a.test/v1?key=AIzaShort&alt=sse failed',
    'POST https://a.test/v1?key=[redacted]&alt=sse failed',
  ],
  ['max_tokens must be less than 4096', 'max_tokens must be less than 4096'],
])('%s is shown as %s', (text, shown) => {
  expect(hideSecrets(text, CONNECTION)).toBe(shown)
})

test('a sentence is one line of limited bytes, cut between characters', () => {
  expect(shownSentence('one\n\u001b[31mtwo\u0000\u2028three', CONNECTION)).toBe('one [31mtwo three')
  const long = shownSentence(`é${'語'.repeat(1_000)}`, CONNECTION) ?? ''
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(MAX_SENTENCE_BYTES)
  expect(long).toMatch(/^é語+…$/)
  expect(shownSentence(' \n ', CONNECTION)).toBeNull()
  expect(shownSentence(null, CONNECTION)).toBeNull()
})

test('a key at the cut of a sentence is masked whole', () => {
  const key = CONNECTION.credentials.apiKey
  const shown = shownSentence(`${'x'.repeat(MAX_SENTENCE_BYTES - 10)} ${key}`, CONNECTION)
  expect(shown).not.toContain(key.slice(0, 6))
})
