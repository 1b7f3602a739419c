import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { type BodyServer, PROVIDER_WIRES, startBodyServer } from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'
import { mendsChunks } from './chat-chunks.ts'

let server: BodyServer
beforeAll(async () => {
  server = await startBodyServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const HEAD = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  ...HEAD,
  choices: [{ index: 0, delta, finish_reason }],
})
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const stop = chunk({}, 'stop')
const hi = chunk({ content: 'Hi' })
const call = (parts: object, args: unknown) =>
  chunk({ tool_calls: [{ type: 'function', ...parts, function: { name: 'weather', arguments: args } }] })
const more = (args: string) => chunk({ tool_calls: [{ function: { arguments: args } }] })
const piece = (index: number, args: string) =>
  chunk({ tool_calls: [{ index, function: { arguments: args } }] })
const two = (...all: string[]) =>
  chunk({
    tool_calls: all.map((args, index) => ({
      ...{ index, id: 'a', type: 'function', function: { name: 'weather', arguments: args } },
    })),
  })
const called = chunk({}, 'tool_calls')
const OSLO = '{"city":"Oslo"}'
const BONN = '{"city":"Bonn"}'

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}

/** A provider package's reading of a stream. */
async function read(name: string, events: readonly unknown[], end = 'data: [DONE]\n\n') {
  const wire = PROVIDER_WIRES.find((one) => one.name === name)
  if (!wire) throw new Error(`no wire ${name}`)
  server.play({ body: [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), end] })
  const target = targetOf(server.url, 'm')
  const connection = { ...target.connection, providerId: wire.providerId, settings: wire.settings }
  const { model, attempts } = modelsForTest()({
    targets: [{ ...target, connection }],
    retry: { attemptsPerModel: 1 },
  })
  const { text, parts, error } = await streamText(model, userSays('x', { tools: [WEATHER] }))
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
  return { text, calls, error, attempt: attempts[0] }
}

const TEXTS: [string, unknown[]][] = [
  ['an empty role (vercel/ai#15464)', [chunk({ role: '', content: 'Hi' }), chunk({ role: '' }, 'stop')]],
  ['a chunk of usage without choices (vercel/ai#7417)', [hi, stop, { ...HEAD, usage }]],
  ['a chunk that is null (earendil-works/pi#2466)', [hi, null, stop]],
  ['choices that are null (langchain-ai/langchain#35236)', [hi, { ...HEAD, choices: null, usage }, stop]],
  ['no choices, and an event of its own', [{ type: 'ping' }, hi, stop]],
  [
    'an empty list of choices (Azure)',
    [{ ...HEAD, id: '', choices: [], prompt_filter_results: [] }, hi, stop],
  ],
  [
    'a choice without a delta (Azure)',
    [hi, { ...HEAD, choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] }, stop],
  ],
  ['a delta that is null', [hi, { ...HEAD, choices: [{ index: 0, delta: null, finish_reason: 'stop' }] }]],
  ['a time of creation as a text', [{ ...hi, created: '2026-01-01T00:00:00Z' }, stop]],
]
const CALLS: [string, unknown[], string[]][] = [
  ['a call without an index (openai/openai-python#2806)', [call({ id: 'a' }, OSLO), called], [OSLO]],
  ['an index that is null', [call({ id: 'a', index: null }, OSLO), called], [OSLO]],
  [
    'two calls without indexes (SamSaffron/term-llm#314)',
    [call({ id: 'a' }, OSLO), call({ id: 'b' }, BONN), called],
    [OSLO, BONN],
  ],
  [
    'calls without indexes whose arguments follow',
    [call({ id: 'a' }, ''), more('{"city"'), more(':"Oslo"}'), call({ id: 'b' }, ''), more(BONN), called],
    [OSLO, BONN],
  ],
  [
    'a whole call that comes again (same index)',
    [call({ id: 'a', index: 0 }, OSLO), call({ id: 'a', index: 0 }, OSLO), called],
    [OSLO],
  ],
  [
    'a whole call that comes again (another index)',
    [call({ id: 'a', index: 0 }, OSLO), call({ id: 'a', index: 1 }, '{ "city": "Oslo" }'), called],
    [OSLO],
  ],
  [
    'a whole call that comes again (no index)',
    [call({ id: 'a' }, OSLO), call({ id: 'a' }, OSLO), called],
    [OSLO],
  ],
  [
    'a call in pieces that comes again whole, and once more in pieces',
    [
      ...[
        call({ id: 'a', index: 0 }, ''),
        call({ id: 'a', index: 0 }, '{"city"'),
        call({ id: 'a', index: 0 }, ':"Oslo"}'),
      ],
      ...[
        call({ id: 'a', index: 0 }, OSLO),
        call({ id: 'a', index: 0 }, '{"city":'),
        piece(0, '"Oslo"}'),
        called,
      ],
    ],
    [OSLO],
  ],
  [
    'two calls under one id',
    [
      call({ id: 'a', index: 0 }, OSLO),
      call({ id: 'a', index: 1 }, BONN),
      call({ id: 'b', index: 2 }, OSLO),
      called,
    ],
    [OSLO, BONN, OSLO],
  ],
  [
    'two calls under one id and one index, the second in pieces',
    [call({ id: 'a', index: 0 }, OSLO), call({ id: 'a', index: 0 }, '{"city":'), piece(0, '"Bonn"}'), called],
    [OSLO, BONN],
  ],
  ['two calls in one chunk under one id', [two(OSLO, BONN), called], [OSLO, BONN]],
  ['one call twice in one chunk', [two(OSLO, OSLO), called], [OSLO]],
  [
    'calls of servers that say id and name with every piece',
    [
      call({ id: 'a', index: 0 }, '{"city"'),
      call({ id: 'a', index: 0 }, ':"Oslo"}'),
      call({ id: 'a', index: 0 }, ''),
      called,
    ],
    [OSLO],
  ],
  ['no type', [call({ id: 'a', index: 0, type: undefined }, OSLO), called], [OSLO]],
  ['a type that is empty', [call({ id: 'a', index: 0, type: '' }, OSLO), called], [OSLO]],
  ['arguments as an object', [call({ id: 'a', index: 0 }, { city: 'Oslo' }), called], [OSLO]],
]
describe.each(['openai-compatible', 'openai chat', 'groq', 'mistral'])('%s', (name) => {
  it.each(TEXTS)('reads a text with %s', async (_, events) => {
    expect(await read(name, events)).toMatchObject({ text: 'Hi', error: undefined, attempt: { ok: true } })
  })

  it.each(CALLS)('reads %s', async (_, events, calls) => {
    expect(await read(name, events)).toMatchObject({ calls, error: undefined, attempt: { ok: true } })
  })

  it.each([
    ['an error without choices', [hi, { error: { message: 'overloaded', code: 503 } }, stop]],
    ['an error as a message', [hi, { message: 'overloaded', code: 503 }, stop]],
  ])('does not mistake %s for an answer', async (_, events) => {
    const { error, attempt } = await read(name, events)
    expect(error).toBeDefined()
    expect(attempt).toMatchObject({ ok: false })
  })

  it('does not mistake empty chunks for an end', async () => {
    const { error, attempt } = await read(name, [hi, null, { type: 'ping' }], '')
    expect(error).toBeDefined()
    expect(attempt).toMatchObject({ ok: false })
  })
})

test.each([
  ': a comment',
  'event: message',
  '',
  'data: [DONE]',
  `data: ${JSON.stringify(hi)}`,
  `data:${JSON.stringify(stop)}\r`,
  `data: ${JSON.stringify(call({ id: 'a', index: 0 }, OSLO))}`,
  'data: {"choices":',
  `data: {"x":"${'x'.repeat(1024 * 1024)}"}`,
])('the line %.60j is unchanged', (line) => {
  expect(mendsChunks()(line)).toBe(line)
})
