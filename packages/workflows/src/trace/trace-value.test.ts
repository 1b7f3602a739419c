import fc from 'fast-check'
import { expect, test } from 'vitest'
import { traceSecretsOf } from './trace-secrets.ts'
import { TRACE_CHARACTERS, traceValue } from './trace-value.ts'

const NONE = { names: new Set<string>(), values: [] }
const told = (value: unknown) => traceValue(value, NONE)

test.for<[string, string]>([
  ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
  ['curl -H "authorization: basic dXNlcjpwYXNz"', 'curl -H "authorization: basic [redacted]"'],
  ['key sk-proj-abcdefghijklmnop1234 here', 'key [redacted] here'],
  ['trp_abcdefghijklmnopqrstuvwx', '[redacted]'],
  [`whs_${'a'.repeat(64)}`, '[redacted]'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
  [`AIza${'x'.repeat(35)}`, '[redacted]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk', '[redacted]'],
  ['postgres://ana:hunter2@db/app', 'postgres://ana:[redacted]@db/app'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END', '[redacted]'],
  [
    'the bearer of news, task-force, sk-8, a basic idea',
    'the bearer of news, task-force, sk-8, a basic idea',
  ],
])('the text %j is shown as %j', ([text, shown]) => {
  expect(told(text)).toBe(shown)
})

test('values of any type under names of secrets are replaced; the rest keeps its structure', () => {
  const secrets = {
    password: 'a',
    clientSecret: ['x'],
    api_key: { a: 1 },
    'X-API-Key': 'k',
    accessToken: 12,
    Authorization: 'x',
    'set-cookie': 'y',
  }
  const open = {
    passwordRequired: true,
    token: null,
    inputTokens: 4,
    secretary: 'Ana',
    key: 'a',
    tokens: [1],
  }
  expect(told({ list: [{ ...secrets, ...open }] })).toEqual({
    list: [{ ...Object.fromEntries(Object.keys(secrets).map((name) => [name, '[redacted]'])), ...open }],
  })
})

const form = (fields: unknown) =>
  ({ nodes: new Map([['f', { type: 'form-trigger', config: { fields } }]]) }) as never

test('the value of a password field is found wherever it is copied', () => {
  const fields = [{ name: 'pin', type: 'password' }, { name: 'mail', type: 'email' }, { name: 'x' }, 7]
  const secrets = traceSecretsOf(form(fields), { pin: 'hunter2', mail: 'a@b.c' })
  const value = { body: { pin: 'hunter2', mail: 'a@b.c' }, text: 'It is hunter2.' }
  expect(traceValue(value, secrets)).toEqual({
    body: { pin: '[redacted]', mail: 'a@b.c' },
    text: 'It is [redacted].',
  })
  expect(traceSecretsOf(form(fields), { body: { pin: 'hunter2' } }).values).toEqual(['hunter2'])
  // One letter would be found in every word; the field itself is still replaced.
  const short = traceSecretsOf(form(fields), { pin: 'a' })
  expect(traceValue({ pin: 'a', text: 'a cat' }, short)).toEqual({ pin: '[redacted]', text: 'a cat' })
})

test.for([null, 7, 'x', [1], { body: 3 }])('the input %j has no secrets', (input) => {
  expect(traceSecretsOf(form([{ name: 'pin', type: 'password' }]), input).values).toEqual([])
  expect(traceSecretsOf(form('none'), input)).toEqual(NONE)
  expect(traceSecretsOf(null, input)).toEqual(NONE)
})

test('a truncated value states the length of the omitted part', () => {
  expect(told('x'.repeat(TRACE_CHARACTERS))).toBe('x'.repeat(TRACE_CHARACTERS))
  expect(told('x'.repeat(TRACE_CHARACTERS + 5))).toBe(
    `${'x'.repeat(TRACE_CHARACTERS)}… [5 more characters cut]`,
  )
  const list = told(Array.from({ length: 100_000 }, () => 1)) as unknown[]
  expect(list.at(-1)).toBe(`[${100_000 - list.length + 1} more elements cut]`)
  const keys = told(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i])))
  expect(Object.entries(keys as object).at(-1)).toEqual(['[cut]', expect.stringMatching(/^\d+ more keys$/)])
  const both = told(['x'.repeat(TRACE_CHARACTERS), 'y', 'z'])
  expect((both as unknown[]).slice(1)).toEqual(['[2 more elements cut]'])
})

test('a secret at the truncation limit is not shown in part', () => {
  const text = `${'x '.repeat(TRACE_CHARACTERS / 2 - 10)}sk-${'a'.repeat(200)}`
  expect(told(text)).not.toContain('aaaa')
})

test('a value of any shape and depth is shown, without changing it', () => {
  let deep: unknown = 'end'
  for (let i = 0; i < 5_000; i += 1) deep = [deep]
  expect(JSON.stringify(told(deep))).toContain('[more levels cut]')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = JSON.stringify(value)
      told(value)
      expect(JSON.stringify(value)).toBe(before)
    }),
  )
})
