import { createHmac } from 'node:crypto'
import { type GuardrailConfig, LlmConfigId, newId, OrganizationId, ProjectId, RunId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { GuardrailSubject } from '../ports/index.ts'
import { createGuardrails } from './create-guardrails.ts'

const CRM = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'
const GONE = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3f'

interface Request {
  url: string
  headers: Headers
  body: string
  credentials: string | undefined
}

const organizationId = newId(OrganizationId)
const projectId = newId(ProjectId)
const runId = newId(RunId)

function setUp(options: { answer?: unknown; status?: number; said?: string; connections?: unknown[] } = {}) {
  const requests: Request[] = []
  const asked: string[] = []
  const errors: unknown[] = []
  const guardrails = createGuardrails({
    catalog: { llmConfigurations: async () => (options.connections ?? []) as never },
    fetch: async (url, init) => {
      const { headers, body, credentials } = init as RequestInit & { body: string }
      requests.push({ url: String(url), headers: new Headers(headers), body, credentials })
      return new Response(JSON.stringify(options.answer), { status: options.status ?? 200 })
    },
    clock: { now: () => 1_700_000_000_000 },
    webhookSecret: (organizationId, url) => `secret of ${organizationId} for ${url}`,
    async authorize({ projectId }, credentialId, { headers }) {
      if (credentialId !== CRM) return { ok: false, message: `There is no ${credentialId}.` }
      headers.set('authorization', `for ${projectId}`)
      return { ok: true, hide: (text) => text.replaceAll('secret', '[hidden]') }
    },
    onError: (_, error) => errors.push(error),
  })
  const subject: GuardrailSubject = {
    stage: 'input',
    organizationId,
    projectId,
    agentId: null,
    runId,
    signal: new AbortController().signal,
    async ask({ text }) {
      asked.push(text)
      return options.said ?? '{"yes": false}'
    },
  }
  const check = (rules: GuardrailConfig[], text: string) => guardrails.check(rules, text, subject)
  return { check, requests, asked, errors }
}

const QUESTION = { type: 'llm_rule', question: 'Is it about money?' } as const
const HOOK = { type: 'webhook', url: 'https://hook.example/check' } as const

test('a web service is called with a credential only if the rule has one', async () => {
  const { check, requests } = setUp({ answer: { allow: true } })
  await check(
    [
      { ...HOOK, action: 'block' },
      { ...HOOK, action: 'block', credential_id: CRM },
    ],
    'Hello',
  )
  expect(requests.map(({ credentials }) => credentials).sort()).toEqual(['include', 'omit'])
})

test('a text that breaks no rule passes without flags', async () => {
  const { check } = setUp()
  expect(await check([{ type: 'max_length', action: 'block', max_chars: 5 }], 'Hello')).toEqual({
    text: 'Hello',
    blocked: null,
    flags: [],
  })
})

test('a blocked text is replaced by the message of its rule, which a flag explains without quoting the text', async () => {
  const { check } = setUp()
  const verdict = await check(
    [{ type: 'pii', action: 'block', message: 'No data, please.' }],
    'I am ana@example.com',
  )
  expect(verdict).toEqual({
    text: 'I am ana@example.com',
    blocked: 'No data, please.',
    flags: [{ stage: 'input', type: 'pii', action: 'block', reason: 'Found 1 email.' }],
  })
})

test('every match of a pattern is redacted, and a model sees the text without them', async () => {
  const { check, asked } = setUp()
  const rules: GuardrailConfig[] = [
    { ...QUESTION, action: 'block' },
    { type: 'regex', action: 'redact', pattern: 'ACME-[0-9]+' },
  ]
  const verdict = await check(rules, 'ACME-1 and ACME-22')
  expect(verdict).toMatchObject({ text: '[redacted] and [redacted]', blocked: null })
  expect(asked).toEqual(['[redacted] and [redacted]'])
})

test('lengths count characters, not UTF-16 units', async () => {
  const { check } = setUp()
  const rules: GuardrailConfig[] = [{ type: 'max_length', action: 'block', max_chars: 2 }]
  expect((await check(rules, '😀😀')).blocked).toBeNull()
  expect((await check(rules, '😀😀a')).blocked).toBe('This request cannot be answered.')
})

test.each([
  ['{"yes": true, "reason": "It is about money."}', 'It is about money.'],
  ['Yes, it is.', 'The model answered yes.'],
])('a model that answers %s breaks the rule', async (said, reason) => {
  const { check } = setUp({ said })
  const { blocked, flags } = await check([{ ...QUESTION, action: 'flag' }], 'x')
  expect(blocked).toBeNull()
  expect(flags).toEqual([{ stage: 'input', type: 'llm_rule', action: 'flag', reason }])
})

test.each([
  ['block', 'This request cannot be answered.'],
  ['allow', null],
] as const)('a rule that cannot be checked does as on_error says: %s', async (onError, blocked) => {
  const { check, errors } = setUp({ said: 'perhaps' })
  const verdict = await check([{ ...QUESTION, action: 'flag', on_error: onError }], 'x')
  expect(verdict.blocked).toBe(blocked)
  expect(verdict.flags[0]).toMatchObject({ action: onError, reason: 'It could not be checked.' })
  expect(errors).toHaveLength(1)
})

test('a pattern that would take too long is a rule that cannot be checked', async () => {
  const { check } = setUp()
  const pattern = '(?:a|b|ab){40}c'
  const rules: GuardrailConfig[] = [{ type: 'regex', action: 'redact', pattern }]
  const text = `${'ab'.repeat(30_000)}${'ab'.repeat(40)}c`
  expect((await check(rules, text)).blocked).toBe('This request cannot be answered.')
})

test('a webhook is signed with its own secret, and may replace the text', async () => {
  const { check, requests } = setUp({ answer: { allow: false, replacement: 'Hi', reason: 'Rude.' } })
  const verdict = await check([{ ...HOOK, action: 'redact' }], 'Hey')
  expect(verdict).toEqual({
    text: 'Hi',
    blocked: null,
    flags: [{ stage: 'input', type: 'webhook', action: 'redact', reason: 'Rude.' }],
  })
  const [request] = requests
  expect(JSON.parse(request?.body ?? '')).toEqual({
    stage: 'input',
    text: 'Hey',
    agentId: null,
    runId,
  })
  const signature = createHmac('sha256', `secret of ${organizationId} for ${HOOK.url}`)
    .update(`1700000000.${request?.body}`)
    .digest('hex')
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    'content-type': 'application/json',
    'x-service-timestamp': '1700000000',
    'x-service-signature': signature,
  })
})

test('a webhook gets its credential, which is masked in its response', async () => {
  const { check, requests } = setUp({
    answer: { allow: false, replacement: 'a secret', reason: 'Said secret.' },
  })
  const verdict = await check([{ ...HOOK, action: 'redact', credential_id: CRM }], 'Hey')
  expect(requests[0]?.headers.get('authorization')).toBe(`for ${projectId}`)
  expect(verdict).toMatchObject({ text: 'a [hidden]', flags: [{ reason: 'Said [hidden].' }] })
})

test('a webhook whose credential cannot be sent is not called, and the flag says why', async () => {
  const { check, requests } = setUp({ answer: { allow: true } })
  const verdict = await check([{ ...HOOK, action: 'block', credential_id: GONE }], 'Hey')
  expect(requests).toEqual([])
  expect(verdict).toMatchObject({
    blocked: 'This request cannot be answered.',
    flags: [{ action: 'block', reason: `It could not be checked. There is no ${GONE}.` }],
  })
})

test.each([
  [{ status: 500 }],
  [{ answer: { allowed: true } }],
])('a webhook without a verdict blocks: %j', async (options) => {
  const { check } = setUp({ answer: {}, ...options })
  expect((await check([{ ...HOOK, action: 'block' }], 'x')).blocked).not.toBeNull()
})

test('moderation calls the moderation API of a provider that has one', async () => {
  const connection = { providerId: 'openai', baseUrl: 'https://ai.example/v1', credentials: { apiKey: 'k' } }
  const results = [{ categories: { 'self-harm/intent': true, violence: false, sexual: true } }]
  const id = newId(LlmConfigId)
  const { check, requests, asked } = setUp({ connections: [{ id, connection }], answer: { results } })
  const rule = { type: 'moderation', llm_config_id: id, categories: ['self_harm', 'violence'] } as const
  const { flags } = await check([{ ...rule, categories: [...rule.categories], action: 'block' }], 'x')
  expect(flags[0]?.reason).toBe('Found self_harm.')
  expect(requests[0]?.url).toBe('https://ai.example/v1/moderations')
  expect(asked).toEqual([])
})

test('moderation calls the model of any other configuration', async () => {
  const said = JSON.stringify({ hate: true, violence: false })
  const { check } = setUp({ said })
  const { blocked } = await check(
    [{ type: 'moderation', action: 'block', categories: ['hate', 'violence'] }],
    'x',
  )
  expect(blocked).not.toBeNull()
})
