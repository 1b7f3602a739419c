import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { StoredStep } from '@troupe/durable-work'
import { expect, test } from 'vitest'
import { type CommitStep, Journal } from '../run/journal.ts'
import { startLoop, tool } from './testing/loop-setting.ts'

type Parts = readonly LanguageModelV4StreamPart[]

/** Claude's thinking before a call, as `@ai-sdk/anthropic` streams it: the signature comes with an empty delta. */
const THOUGHT: Parts = [
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'I add.' },
  { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { anthropic: { signature: 'SIGNED' } } },
  { type: 'reasoning-end', id: '0' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: '\n\n' },
  { type: 'text-end', id: '1' },
  { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'add', input: '{"a":1}' },
]

const OWN = [
  { type: 'reasoning', text: 'I add.', providerOptions: { anthropic: { signature: 'SIGNED' } } },
  {
    type: 'tool-call',
    toolCallId: 'call_0_0',
    toolName: 'add',
    input: { a: 1 },
    providerOptions: { troupe: { id: 'toolu_1' } },
  },
]

test("the next step receives the model's thinking in its place, with the metadata of its provider", async () => {
  const { result, calls, ctx } = startLoop({ script: [{ parts: THOUGHT }, 'Done'], tools: [tool('add')] })
  expect(await result).toMatchObject({ text: 'Done' })
  expect(calls[1]?.prompt[1]).toEqual({
    role: 'assistant',
    content: OWN,
    providerOptions: { troupe: { origin: 'scripted' } },
  })
  // White space beside a call is not a text of its message.
  expect(ctx.output.transcript.messages[0]).toMatchObject({ content: null, toolCalls: [{ id: 'call_0_0' }] })
})

test('a job resumed by another worker sends the same steps back', async () => {
  const stored = new Map<string, StoredStep>()
  const commit: CommitStep = async (key, step) => {
    stored.set(key, JSON.parse(JSON.stringify(step)))
  }
  const first = startLoop({
    script: [{ parts: THOUGHT }, 'Done'],
    tools: [tool('add')],
    journal: new Journal(new Map(), commit),
  })
  await first.result
  stored.delete('step:1')
  const second = startLoop({ script: ['Done'], tools: [tool('add')], journal: new Journal(stored), turn: 1 })
  await second.result
  expect(second.calls[0]?.prompt).toEqual(first.calls[1]?.prompt)
})

test('parts that exceed the budget are omitted whole, and the step is kept as text and calls', async () => {
  const huge = { anthropic: { signature: 'x'.repeat(3 * 1024 * 1024) } }
  const parts: Parts = [
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm', providerMetadata: huge },
    { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'add', input: '{"a":1}' },
  ]
  const { result, calls } = startLoop({ script: [{ parts }, 'Done'], tools: [tool('add')] })
  await result
  expect(calls[1]?.prompt[1]).toEqual({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_0_0', toolName: 'add', input: { a: 1 } }],
  })
})

test('deep metadata has a budget, too', async () => {
  let deep: Record<string, never> = {}
  for (let depth = 0; depth < 10_000; depth += 1) deep = { deep } as never
  const parts: Parts = [
    { type: 'reasoning-delta', id: '0', delta: 'Hm', providerMetadata: { other: deep } },
    { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{"a":1}' },
  ]
  const { result, calls } = startLoop({ script: [{ parts }, 'Done'], tools: [tool('add')] })
  await result
  expect(calls[1]?.prompt[1]).not.toHaveProperty('providerOptions')
})

/**
 * OpenAI's messages with phases (https://platform.openai.com/docs/api-reference/responses, output message): the phase
 * is sent when the item begins.
 */
const phased = (id: string, phase: string, text: string): Parts => [
  { type: 'text-start', id, providerMetadata: { openai: { itemId: id, phase } } },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id, providerMetadata: { openai: { itemId: id, phase } } },
]

test('commentary is shown on the trace beside the answer, and is not part of it', async () => {
  const parts = [...phased('m1', 'commentary', 'I will look.'), ...phased('m2', 'final_answer', 'Here.')]
  const { result, ctx } = startLoop({ script: [{ parts }] })
  expect(await result).toMatchObject({ text: 'Here.' })
  expect(ctx.output.answer.text).toBe('Here.')
  expect(ctx.output.transcript.messages.map(({ content }) => content)).toEqual(['Here.'])
  expect(ctx.shown.filter(({ event }) => event === 'RunContent')).toMatchObject([
    { channel: 'trace', delta: 'I will look.' },
    { channel: 'answer', delta: 'Here.' },
  ])
  expect(ctx.output.transcript.messages[0]?.state?.parts).toEqual([
    {
      type: 'text',
      text: 'I will look.',
      hidden: true,
      metadata: { openai: { itemId: 'm1', phase: 'commentary' } },
    },
    { type: 'text', text: 'Here.', metadata: { openai: { itemId: 'm2', phase: 'final_answer' } } },
  ])
})

test('an unknown phase is not an answer, even if it is sent at the end of the text', async () => {
  const parts: Parts = [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'Draft' },
    { type: 'text-end', id: '0', providerMetadata: { openai: { phase: 'draft' } } },
    ...phased('m2', 'final_answer', 'Here.'),
  ]
  const { result, ctx } = startLoop({ script: [{ parts }] })
  expect(await result).toMatchObject({ text: 'Here.' })
  expect(ctx.output.answer.text).toBe('Here.')
})

test('the compaction of Anthropic is sent back to it and shown nowhere', async () => {
  // https://platform.claude.com/docs/en/build-with-claude/compaction: a block before the text of the answer.
  const parts: Parts = [
    { type: 'text-start', id: '0', providerMetadata: { anthropic: { type: 'compaction' } } },
    { type: 'text-delta', id: '0', delta: 'SUMMARY OF THE CONVERSATION' },
    { type: 'text-end', id: '0' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Let me add.' },
    { type: 'text-end', id: '1' },
    { type: 'tool-call', toolCallId: 'toolu_1', toolName: 'add', input: '{"a":1}' },
  ]
  const { result, calls, ctx } = startLoop({ script: [{ parts }, 'Done'], tools: [tool('add')] })
  expect(await result).toMatchObject({ text: 'Done' })
  expect(calls[1]?.prompt[1]?.content).toMatchObject([
    { text: 'SUMMARY OF THE CONVERSATION', providerOptions: { anthropic: { type: 'compaction' } } },
    { text: 'Let me add.' },
    { type: 'tool-call' },
  ])
  expect(
    JSON.stringify([ctx.shown, ctx.output.transcript.messages.map(({ content }) => content)]),
  ).not.toContain('SUMMARY')
})

test('a model that says nothing after its tools have acted ends normally', async () => {
  const { result, ctx } = startLoop({
    script: [{ call: 'add', input: {} }, { finish: 'stop' }],
    tools: [tool('add')],
  })
  expect(await result).toMatchObject({ text: '', finishReason: 'stop', toolsExecuted: 1 })
  expect(ctx.output.answer.text).toBe('')
})

test('white space after the tools have acted is an empty end, without any text in the stream', async () => {
  const { result, ctx } = startLoop({
    script: [{ call: 'add', input: {} }, { text: ' \n' }],
    tools: [tool('add')],
  })
  expect(await result).toMatchObject({ text: '' })
  expect(ctx.shown.filter(({ event }) => event === 'RunContent')).toEqual([])
})

test.each([
  ['no tool was called', ['']],
  ['the call was refused', [{ call: 'other', input: {} }, { finish: 'stop' as const }]],
])('an empty answer is a failure where %s', async (_, script) => {
  const { result } = startLoop({ script: script as never, tools: [tool('add')] })
  await expect(result).rejects.toMatchObject({ code: 'empty_response' })
})

test('calls of a step that was cut off are not executed, and the model gets an error', async () => {
  const executed: unknown[] = []
  const deleteAll = tool('delete', {
    execute: async (input) => {
      executed.push(input)
      return { ok: true, text: 'deleted' }
    },
  })
  const cut = [{ call: 'delete', input: '' }, { finish: 'length' as const }]
  const { result, calls, ctx } = startLoop({ script: [cut, 'I could not.'], tools: [deleteAll] })
  expect(await result).toMatchObject({ text: 'I could not.', toolsExecuted: 0 })
  expect(executed).toEqual([])
  expect(JSON.parse(calls[1]?.results[0] ?? '')).toMatchObject({ error: { code: 'incomplete' } })
  expect(ctx.output.transcript.messages[0]?.toolCalls).toMatchObject([{ name: 'delete', status: 'error' }])
})

test.each([
  ['twice at the limit of output', [{ finish: 'length' }, { finish: 'length' }], /output limit/],
  ['by the content filter', [{ finish: 'content-filter' }], /content policy/],
])('a run whose calls are cut off %s ends with an error message', async (_, ends, sentence) => {
  const executed: unknown[] = []
  const acting = tool('act', {
    execute: async (input) => {
      executed.push(input)
      return { ok: true, text: '' }
    },
  })
  const script = ends.map((end) => [{ call: 'act', input: '' }, end]) as never
  const { result } = startLoop({ script, tools: [acting] })
  await expect(result).rejects.toThrow(sentence)
  expect(executed).toEqual([])
})

test('calls of a broken-off answer are not executed when another model starts over', async () => {
  const broken = [{ call: 'add', input: { a: 1 } }, { reset: true as const }, { text: 'Done' }]
  const { result, calls } = startLoop({ script: [broken], tools: [tool('add')] })
  expect(await result).toMatchObject({ text: 'Done', toolsExecuted: 0 })
  expect(calls).toHaveLength(1)
})
