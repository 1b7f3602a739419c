import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let member: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  member = await asMember(server, 'member')
})
afterAll(() => server?.[Symbol.asyncDispose]())

const tryRules = (rules: object[], text: string) =>
  member.send('POST /guardrails/try', { stage: 'input', rules, text })

test('unsaved rules redact and flag a text, without a run', async () => {
  const answer = await tryRules(
    [
      { type: 'pii', action: 'redact', entities: ['email'] },
      { type: 'regex', action: 'flag', pattern: 'order' },
    ],
    'Write to ana@acme.test about my order.',
  )
  expect(answer).toMatchObject({ status: 200, body: { blocked: null, untried: [] } })
  expect(answer.body).toMatchObject({ text: expect.not.stringContaining('ana@acme.test') })
  expect(answer.body).toMatchObject({
    flags: [
      { type: 'pii', action: 'redact', stage: 'input' },
      { type: 'regex', action: 'flag', stage: 'input' },
    ],
  })
})

test('a blocking rule returns its message, and an invalid one its path', async () => {
  const blocking = { type: 'max_length', action: 'block', message: 'Too long.', max_chars: 3 }
  expect(await tryRules([blocking], 'four')).toMatchObject({ status: 200, body: { blocked: 'Too long.' } })
  expect(await tryRules([blocking], 'abc')).toMatchObject({ status: 200, body: { blocked: null, flags: [] } })
  const broken = await tryRules([{ type: 'regex', action: 'block', pattern: '' }], 'a')
  expect(broken).toMatchObject({ status: 400, body: { error: 'validation_error' } })
})

test('rules that call a model or another server are listed, and not called', async () => {
  const rules = [
    { type: 'llm_rule', action: 'block', question: 'Is it rude?' },
    { type: 'webhook', action: 'block', url: 'http://127.0.0.1:9/never' },
  ]
  expect(await tryRules(rules, 'Hello')).toMatchObject({
    status: 200,
    body: { text: 'Hello', blocked: null, flags: [], untried: ['llm_rule', 'webhook'] },
  })
})
