import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Authentication, authenticateDelivery, TOLERANCE_SECONDS } from './authenticate-delivery.ts'
import type { PublishedWebhook } from './published-webhooks.ts'

const NOW = 1_800_000_000_500
const SECONDS = 1_800_000_000
const SECRET = 'whs_of-a-test'
const PREVIOUS = 'whs_before'
const BODY = Buffer.from('{"a":1}')

const webhook = {
  organizationId: 'org',
  projectId: 'mine',
  secrets: { token: 't', signingSecret: SECRET, previous: { secret: PREVIOUS, until: new Date(NOW + 1) } },
} as unknown as PublishedWebhook

const KEYS: Record<string, { organizationId: string; projectId: string | null }> = {
  'org-key-secret': { organizationId: 'org', projectId: null },
  'mine-key-secret': { organizationId: 'org', projectId: 'mine' },
  'other-project-key': { organizationId: 'org', projectId: 'other' },
  'foreign-key-secret': { organizationId: 'foreign', projectId: null },
}
const apiKeys = { find: (secret: string) => (KEYS[secret] ?? null) as never }

const hmac = (timestamp: string | number, body: Buffer | string = BODY, secret = SECRET) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')

function authenticate(
  sent: Record<string, string | string[]>,
  raw = BODY,
  now = NOW,
): Promise<Authentication> {
  const distinct = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value].flat()]))
  return authenticateDelivery(webhook, apiKeys, { headers: {}, distinct, raw, ip: '192.0.2.1' }, now)
}

const signed = (timestamp: string | number, signature = hmac(timestamp)) => ({
  'x-service-timestamp': String(timestamp),
  'x-service-signature': signature,
})

test.for<[string, Record<string, string | string[]>]>([
  ['a signature of this second', signed(SECONDS)],
  ['a timestamp exactly five minutes old', signed(SECONDS - TOLERANCE_SECONDS)],
  ['a timestamp exactly five minutes ahead', signed(SECONDS + TOLERANCE_SECONDS)],
  ['a timestamp with leading zeros, signed as it was sent', signed(`00${SECONDS}`)],
  ['the secret before the rotation', signed(SECONDS, hmac(SECONDS, BODY, PREVIOUS))],
  ['a key of the organization', { 'x-service-timestamp': `${SECONDS}`, 'x-api-key': 'org-key-secret' }],
  ['a key of the project', { 'x-service-timestamp': `${SECONDS}`, 'x-api-key': 'mine-key-secret' }],
  ['a bearer key', { 'x-service-timestamp': `${SECONDS}`, authorization: 'Bearer org-key-secret' }],
  [
    'a wrong signature beside a right key',
    { ...signed(SECONDS, 'f'.repeat(64)), 'x-api-key': 'org-key-secret' },
  ],
  ['a right signature beside a wrong key', { ...signed(SECONDS), 'x-api-key': 'nobody-knows-it' }],
])('%s is accepted', async ([, sent]) => {
  expect(await authenticate(sent)).toMatchObject({ ok: true })
})

test.for<[string, Record<string, string | string[]>, string]>([
  ['nothing at all', {}, 'X-Service-Timestamp is missing.'],
  ['a key without a timestamp', { 'x-api-key': 'org-key-secret' }, 'X-Service-Timestamp is missing.'],
  [
    'a timestamp five minutes and a second old',
    signed(SECONDS - 301),
    "X-Service-Timestamp is 301 s behind this server's clock; at most 300 s are accepted.",
  ],
  [
    'a timestamp five minutes and a second ahead, beside a right key',
    { ...signed(SECONDS + 301), 'x-api-key': 'org-key-secret' },
    "X-Service-Timestamp is 301 s ahead of this server's clock; at most 300 s are accepted.",
  ],
  [
    'a timestamp in milliseconds',
    signed(NOW),
    'X-Service-Timestamp is not a number of Unix seconds, or was sent twice.',
  ],
  [
    'a negative timestamp',
    signed('-1'),
    'X-Service-Timestamp is not a number of Unix seconds, or was sent twice.',
  ],
  [
    'a timestamp with a fraction',
    signed(`${SECONDS}.5`),
    'X-Service-Timestamp is not a number of Unix seconds, or was sent twice.',
  ],
  [
    'a timestamp sent twice',
    { ...signed(SECONDS), 'x-service-timestamp': [`${SECONDS}`, `${SECONDS}`] },
    'X-Service-Timestamp is not a number of Unix seconds, or was sent twice.',
  ],
  ['no signature and no key', { 'x-service-timestamp': `${SECONDS}` }, 'X-Service-Signature is missing.'],
  [
    'a signature sent twice',
    { ...signed(SECONDS), 'x-service-signature': [hmac(SECONDS), hmac(SECONDS)] },
    'X-Service-Signature is empty, or was sent twice.',
  ],
  [
    'an upper-case signature',
    signed(SECONDS, hmac(SECONDS).toUpperCase()),
    'X-Service-Signature is not 64 lowercase hex digits.',
  ],
  [
    'a signature over the body alone',
    signed(SECONDS, createHmac('sha256', SECRET).update(BODY).digest('hex')),
    'X-Service-Signature does not match the body and the signing secret.',
  ],
  [
    'a signature over the reserialised body',
    signed(SECONDS, hmac(SECONDS, '{ "a": 1 }')),
    'X-Service-Signature does not match the body and the signing secret.',
  ],
  [
    'the signature of another second',
    signed(SECONDS, hmac(SECONDS - 1)),
    'X-Service-Signature does not match the body and the signing secret.',
  ],
  [
    'a key of another organization',
    { 'x-service-timestamp': `${SECONDS}`, 'x-api-key': 'foreign-key-secret' },
    'X-Service-Signature is missing. The API key may not see this workflow.',
  ],
  [
    'a key of another project',
    { 'x-service-timestamp': `${SECONDS}`, 'x-api-key': 'other-project-key' },
    'X-Service-Signature is missing. The API key may not see this workflow.',
  ],
  [
    'a key sent twice',
    { 'x-service-timestamp': `${SECONDS}`, 'x-api-key': ['org-key-secret', 'org-key-secret'] },
    'X-Service-Signature is missing.',
  ],
  [
    'two bearers, of which Node would keep the first',
    {
      'x-service-timestamp': `${SECONDS}`,
      authorization: ['Bearer org-key-secret', 'Bearer org-key-secret'],
    },
    'X-Service-Signature is missing.',
  ],
])('%s is refused, and the log has the reason', async ([, sent, reason]) => {
  expect(await authenticate(sent)).toMatchObject({ ok: false, reason })
})

test('the secret before the rotation is refused after one day', async () => {
  const sent = signed(SECONDS, hmac(SECONDS, BODY, PREVIOUS))
  expect(await authenticate(sent, BODY, NOW + 1)).toMatchObject({ ok: false })
})

test('the signature covers the received bytes, text or not', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe])
  expect(await authenticate(signed(SECONDS, hmac(SECONDS, bytes)), bytes)).toMatchObject({ ok: true })
})
