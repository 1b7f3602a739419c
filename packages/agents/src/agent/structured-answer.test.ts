import type { StoredStep } from '@troupe/durable-work'
import { expect, test } from 'vitest'
import { ChatModelError } from '../ports/chat-models.ts'
import type { RequestedOutput } from '../ports/requested-output.ts'
import type { Tool } from '../ports/tool.ts'
import { type CommitStep, Journal } from '../run/journal.ts'
import { answerOf } from '../testing/run-kit.ts'
import { type Reply, type ScriptedCall, scriptedChat } from '../testing/scripted-model.ts'
import { testActor, testContext } from '../testing/test-context.ts'
import { structuredAnswer } from './structured-answer.ts'
import { tool } from './testing/loop-setting.ts'

const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const numbers: RequestedOutput = {
  schema,
  problemOf: (text) => (/^\{"n":\d+\}$/.test(text) ? null : `not ${text || 'empty'}`),
}

interface Setting {
  script: readonly Reply[] | ((call: ScriptedCall) => Reply)
  tools?: readonly Tool[]
  output?: RequestedOutput
  journal?: Journal
}

function start({ script, tools = [], output = numbers, journal = new Journal() }: Setting) {
  let step = 0
  const models = scriptedChat((call) => {
    const reply = typeof script === 'function' ? script(call) : script[step++]
    if (reply === undefined) throw new Error('the script is over')
    return reply
  })
  const ctx = testContext({ models, journal })
  const actor = testActor()
  const limits = {
    ...{ maxSteps: 10, maxToolCalls: 50, parallelToolCalls: true, repeatLimit: 3 },
    toolChoice: 'auto' as const,
  }
  const request = {
    ...{ actor, keyPrefix: '', purpose: 'chat' as const, tools, limits, channel: 'answer' as const },
    prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
    transcript: ctx.output.transcript,
  }
  return { ctx, actor, calls: models.calls, result: structuredAnswer(ctx, request, output) }
}

const refused = { throws: new ChatModelError('fatal', 'Refused.', 'http_400', { refusesRequest: true }) }

test('an agent without tools must return JSON of the schema in its first and only step', async () => {
  const { result, calls, ctx } = start({ script: ['{"n":1}'] })
  expect(await result).toMatchObject({ text: '{"n":1}', finishReason: 'stop', toolsExecuted: 0 })
  expect(calls.map(({ options }) => options.responseFormat)).toEqual([
    { type: 'json', name: 'answer', description: 'The answer.', schema },
  ])
  expect(calls[0]?.system).toContain(JSON.stringify(schema))
  expect([ctx.output.answer.text, answerOf(ctx.shown)]).toEqual(['{"n":1}', '{"n":1}'])
  expect(ctx.output.transcript.messages.map(({ role, content }) => [role, content])).toEqual([
    ['assistant', '{"n":1}'],
  ])
})

test('an answer that violates the schema gets its problem once, and is shown nowhere', async () => {
  const { result, calls, ctx, actor } = start({ script: ['One', '{"n":1}'] })
  expect(await result).toMatchObject({ text: '{"n":1}' })
  expect(calls[1]?.asked).toMatch(/^That was not valid: not One\. Answer again/)
  expect(calls[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(JSON.stringify([ctx.shown, ctx.output.transcript.messages])).not.toContain('One')
  expect(ctx.output.answer.text).toBe('{"n":1}')
  expect(actor.spent).toMatchObject({ inputTokens: 20, outputTokens: 10 })
})

test('a second answer that violates it is the failure of the run, with its problem', async () => {
  const { result, calls, ctx } = start({ script: ['One', ''] })
  await expect(result).rejects.toMatchObject({
    name: 'RunFailure',
    message: 'The answer does not follow the output schema: not empty.',
  })
  expect(calls).toHaveLength(2)
  expect(ctx.output.answer.text).toBe('')
})

test('an agent with tools works first, and then answers in JSON in a step without tools', async () => {
  const script = [{ call: 'add', input: { a: 1 } }, 'It is one.', '{"n":1}']
  const { result, calls, ctx } = start({ script, tools: [tool('add')] })
  expect(await result).toMatchObject({ text: '{"n":1}', toolsExecuted: 1 })
  expect(calls.map(({ options }) => [options.tools?.length ?? 0, options.responseFormat?.type])).toEqual([
    [1, undefined],
    [1, undefined],
    [0, 'json'],
  ])
  expect(calls[2]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect([ctx.output.answer.text, answerOf(ctx.shown)]).toEqual(['{"n":1}', '{"n":1}'])
})

test('a model that refuses to answer in JSON is made to call a tool with it', async () => {
  const reply = (input: object) => (call: ScriptedCall) =>
    call.options.responseFormat ? refused : { call: 'answer', input: { ...input } }
  const object = start({ script: reply({ n: 2 }) })
  expect(await object.result).toMatchObject({ text: '{"n":2}' })
  expect(object.calls[1]?.options).toMatchObject({
    tools: [{ name: 'answer', inputSchema: schema }],
    toolChoice: { type: 'tool', toolName: 'answer' },
  })
  const list = { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } }
  const output = { schema: list, problemOf: (text: string) => (text === '[1,2]' ? null : text) }
  const wrapped = start({ script: reply({ answer: [1, 2] }), output })
  expect(await wrapped.result).toMatchObject({ text: '[1,2]' })
  const { $defs, ...answer } = list
  expect(wrapped.calls[1]?.options.tools?.[0]).toMatchObject({
    inputSchema: { type: 'object', properties: { answer }, required: ['answer'], $defs },
  })
})

test('other failures of a chain are not retried', async () => {
  const exhausted = { throws: new ChatModelError('exhausted', 'No model answered.', 'http_500') }
  const { result, calls } = start({ script: [exhausted] })
  await expect(result).rejects.toThrow('No model answered.')
  expect(calls).toHaveLength(1)
})

test("a model's refusal is its answer", async () => {
  const { result } = start({ script: [[{ text: 'I cannot.' }, { finish: 'content-filter' }]] })
  expect(await result).toMatchObject({ text: 'I cannot.', finishReason: 'content-filter' })
})

test('a resumed run does not repeat committed calls', async () => {
  const steps = new Map<string, StoredStep>()
  const commit: CommitStep = async (key, step) => void steps.set(key, step)
  await start({ script: ['One', '{"n":1}'], journal: new Journal(undefined, commit) }).result
  expect([...steps.keys()]).toEqual(['output:0', 'output:1'])
  const { result, calls, ctx, actor } = start({ script: [], journal: new Journal(steps, commit) })
  expect(await result).toMatchObject({ text: '{"n":1}' })
  expect(calls).toEqual([])
  expect(ctx.output.answer.text).toBe('{"n":1}')
  expect(actor.spent).toMatchObject({ inputTokens: 20, outputTokens: 10 })
})

const natively: RequestedOutput = { ...numbers, strategy: 'native' }

test('a native answer of an agent with tools asks for JSON in every step, and the last one is the answer', async () => {
  const { result, calls, ctx } = start({
    script: [{ call: 'add', input: {} }, '{"n":2}'],
    tools: [tool('add')],
    output: natively,
  })
  expect(await result).toMatchObject({ text: '{"n":2}', toolsExecuted: 1 })
  expect(calls.map(({ options }) => options.responseFormat?.type)).toEqual(['json', 'json'])
  expect([ctx.output.answer.text, answerOf(ctx.shown)]).toEqual(['{"n":2}', '{"n":2}'])
  expect(ctx.output.transcript.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant'])
})

test('a native answer that violates the schema is requested again', async () => {
  const { result, calls, ctx } = start({
    script: ['two', '{"n":2}'],
    tools: [tool('add')],
    output: natively,
  })
  expect(await result).toMatchObject({ text: '{"n":2}' })
  expect(calls).toHaveLength(2)
  expect([ctx.output.answer.text, answerOf(ctx.shown)]).toEqual(['{"n":2}', '{"n":2}'])
})

test('an agent without tools may work in text and return JSON in a final step', async () => {
  const { result, calls, ctx } = start({
    script: ['It is two.', '{"n":2}'],
    output: { ...numbers, strategy: 'final_step' },
  })
  expect(await result).toMatchObject({ text: '{"n":2}' })
  expect(calls.map(({ options }) => options.responseFormat?.type)).toEqual([undefined, 'json'])
  expect(answerOf(ctx.shown)).toBe('{"n":2}')
})

test.each([0, 1, 3])('%d repairs are requested, and no more', async (maxRepairs) => {
  const { result, calls } = start({ script: () => 'never', output: { ...numbers, maxRepairs } })
  await expect(result).rejects.toThrow('The answer does not follow the output schema: not never.')
  expect(calls).toHaveLength(1 + maxRepairs)
})
