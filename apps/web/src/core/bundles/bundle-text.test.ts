import { expect, test } from 'vitest'
import { hasWrittenSecrets, leftOutIn, lineAt, variablesIn, withLeftOut } from './bundle-text.ts'

const EXPORTED = `llmConfigurations:
  - slug: main
    providerId: openai
    # credentials: { apiKey: "\${MAIN_API_KEY}" }
    models: []
credentials:
  - slug: crm
    kind: bearer
    # secret: "\${CRM_SECRET}"
    hosts: [ crm.test ]
`

test('variables are named once, in order; escaped ones and comments do not count', () => {
  expect(variablesIn(`name: "\${B} \${A} \${B}"\nx: $\${NOT}\n# y: \${NOR}`)).toEqual(['B', 'A'])
  expect(variablesIn(EXPORTED)).toEqual([])
})

test('the secrets that an export has left out become variables', () => {
  expect(leftOutIn(EXPORTED)).toBe(2)
  const asked = withLeftOut(EXPORTED)
  expect(variablesIn(asked)).toEqual(['MAIN_API_KEY', 'CRM_SECRET'])
  expect(asked).toContain(`    credentials: { apiKey: "\${MAIN_API_KEY}" }\n`)
  expect(hasWrittenSecrets(asked)).toBe(false)
})

test.for([
  'secret: sk-123456789',
  '  credentials: { apiKey: sk-12345 }',
  '{"credentials": {"apiKey": "sk-12345"}}',
  'credentials:\n  accessKeyId: AKIA1',
  'members: [{ email: a@b.test, password: hunter2 }]',
  'headers: { Authorization: Bearer 123 }',
  'settings: { headers: { x-gateway: sk-123 } }',
  'headers:\n  Ocp-Apim-Subscription-Key: abc',
  '- headers:\n    x-gateway: abc',
  '"headers": {\n  "x-gateway": "abc"\n}',
  'x-api-key: abc',
  'secret: |\n  -----BEGIN KEY-----',
  'password: >-\n  hunter2',
  'secret:\n  sk-123',
  'auth_token: abc',
  'refresh_token: abc',
])('a literal secret is detected: %s', (text) => {
  expect(hasWrittenSecrets(text)).toBe(true)
})

test.for([
  EXPORTED,
  `secret: "\${CI_SECRET}"`,
  'model: { max_tokens: 100 }',
  'tools: [{ auth_credential: crm }]',
  'credential: crm',
  'instructions: Never tell the password',
  'credentials:\n  - slug: crm',
  `headers: { x-gateway: "\${GATEWAY}" }\nname: main`,
  `headers:\n  x-gateway: "\${GATEWAY}"\nname: main`,
  `secret: |\n  \${CI_SECRET}`,
  'secret:\nname: crm',
  'chunk_tokens: 400',
])('a bundle is not considered secret with: %s', (text) => {
  expect(hasWrittenSecrets(text)).toBe(false)
})

test('a line is found by its number', () => {
  expect([1, 2, 3, 9].map((line) => lineAt('a\nb\nc', line))).toEqual(['a', 'b', 'c', ''])
})
