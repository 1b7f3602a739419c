import type { AgentRunResult } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const CALCULATOR = { type: 'builtin', name: 'calculate', builtin: 'calculator' }
const calls = (expression: string) => ({
  toolCalls: [{ name: 'calculate', arguments: { expression } }],
})

test('an agent calls its tool, reads the result and answers', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  setting.model.script(calls('12 * 12'), 'It is 144.')
  const { status, body } = await setting.run(agentId, { message: '12 times 12?', include_messages: true })
  const { content, messages } = body as AgentRunResult
  expect([status, content]).toEqual([200, 'It is 144.'])
  expect(messages?.map(({ role, content: text }) => [role, text])).toEqual([
    ['user', '12 times 12?'],
    ['assistant', null],
    ['tool', '144'],
    ['assistant', 'It is 144.'],
  ])
  expect(messages?.[1]?.toolCalls).toEqual([
    {
      toolCallId: 'call_0_0',
      name: 'calculate',
      arguments: { expression: '12 * 12' },
      status: 'ok',
      result: '144',
      ms: expect.any(Number),
    },
  ])
  const [first] = setting.model.requests
  expect(JSON.stringify(first?.body)).toContain('"name":"calculate"')
})

test('invalid arguments are returned to the model for repair, and the run continues', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  setting.model.script({ toolCalls: [{ name: 'calculate', arguments: { sum: 1 } }] }, calls('1 + 1'), 'Two.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  const results = (body as AgentRunResult).messages?.filter(({ role }) => role === 'tool')
  expect(results?.map(({ isError, content }) => [isError, content])).toEqual([
    [true, expect.stringContaining('invalid_arguments')],
    [false, '2'],
  ])
})

test.each([
  ['60,000 levels', `{"expression":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 'have more than 64 levels'],
  ['more values than JSON may have', `{"a":[${'1,'.repeat(120_000)}1]}`, 'have more than 100000 values'],
])('arguments with %s are also returned to the model for repair', async (_name, sent, told) => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  setting.model.script({ toolCalls: [{ name: 'calculate', arguments: sent }] }, calls('1 + 1'), 'Two.')
  const { status, body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect([status, (body as AgentRunResult).content]).toEqual([200, 'Two.'])
  const results = (body as AgentRunResult).messages?.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => content)).toEqual([expect.stringContaining(told), '2'])
})

test('an answer of 60,000 levels does not follow a schema, and the reason is reported', async () => {
  const output = { mode: 'json_schema', schema: {}, max_repairs: 0 }
  const { agentId } = await setting.agent({ execution: { output } })
  setting.model.script(`${'['.repeat(60_000)}${']'.repeat(60_000)}`)
  expect((await setting.run(agentId, { message: 'x' })).body).toMatchObject({
    message: 'The answer does not follow the output schema: it has more than 64 levels.',
  })
})

test('messages tell failed calls from calls that were not made because of a limit', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR], execution: { max_tool_calls: 1 } })
  const both = { toolCalls: [...calls('1 +').toolCalls, ...calls('1 + 1').toolCalls] }
  setting.model.script(both, 'No.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  const { messages } = body as AgentRunResult
  expect(messages?.flatMap(({ toolCalls }) => toolCalls ?? [])).toMatchObject([
    { status: 'error', result: expect.stringContaining('invalid_arguments'), ms: expect.any(Number) },
    { status: 'denied', result: expect.stringContaining('limit of tool calls'), ms: null },
  ])
})

test('an agent with an output schema answers in JSON, and reports a failure to do so', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const output = { mode: 'json_schema', schema, max_repairs: 1 }
  const { agentId } = await setting.agent({ execution: { output } })
  setting.model.script('{"n": "one"}', '{"n": 1}')
  expect((await setting.run(agentId, { message: 'x' })).body).toMatchObject({ content: '{"n": 1}' })
  setting.model.script('never', 'never')
  expect(await setting.run(agentId, { message: 'x' })).toMatchObject({
    status: 502,
    body: {
      error: 'upstream_error',
      message: 'The answer does not follow the output schema: it is not JSON.',
    },
  })
})

test('a cancel after a finished step ends a stream once, without the text of that step', async () => {
  const { agentId } = await setting.agent({ tools: [CALCULATOR] })
  setting.model.script({ text: 'I compute.', ...calls('1+1') }, { text: 'The sum', hang: 'stream' })
  const reading = setting.events(agentId, 'x')
  const { runs } = setting.server.context
  await expect.poll(() => setting.model.requests.length).toBe(2)
  const [runId] = runs.active.runIds()
  await setting.server.call(`DELETE /api/v1/agents/${agentId}/runs/${runId}`)
  const events = await reading
  const ends = events.filter(({ event }) => /^Run(Completed|Cancelled|Failed|Error)$/.test(event))
  expect(ends).toMatchObject([{ event: 'RunCancelled', reason: 'user' }])
  expect(events.at(-1)).toBe(ends[0])
  expect(JSON.stringify(ends)).not.toContain('I compute.')
})
