import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const TOOL: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'route',
  inputSchema: { type: 'object', properties: { member: { enum: ['m1'] } }, required: ['member'] },
}
const FORCED: Partial<LanguageModelV4CallOptions> = {
  tools: [TOOL],
  toolChoice: { type: 'tool', toolName: 'route' },
}

/** The properties that the wrapper relies on. Each name ends with its row in the table of measured facts; an upgrade that breaks one breaks a rule. */
describe('the provider package, without the wrapper', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const parts = async (options = userSays('x')) => {
    const provider = createOpenAICompatible({ name: 'p', baseURL: server.url, includeUsage: true })
    const { stream } = await provider.languageModel('m').doStream(options)
    const all: LanguageModelV4StreamPart[] = []
    for await (const part of stream) all.push(part)
    return all
  }
  const types = (all: LanguageModelV4StreamPart[]) => all.map((part) => part.type)

  it('makes one request however it fails, and repeats none (8)', async () => {
    server.respond(() => ({ status: 500 }))
    await expect(parts()).rejects.toMatchObject({ statusCode: 500 })
    expect(server.requests).toHaveLength(1)
  })

  it('returns an error chunk as an error part and a finish with reason error (9)', async () => {
    server.script({ text: 'x', error: { after: 0, message: 'boom' } })
    const all = await parts()
    expect(types(all)).toEqual(['stream-start', 'response-metadata', 'error', 'finish'])
    expect(all.at(-1)).toMatchObject({ finishReason: { unified: 'error' } })
  })

  it('returns the partial text before an error chunk (9)', async () => {
    server.script({ text: 'one two', chunks: 2, error: { after: 1, message: 'boom' } })
    const all = types(await parts())
    expect(all.indexOf('text-delta')).toBeLessThan(all.indexOf('error'))
  })

  it('returns an empty answer as a plain stop (11)', async () => {
    server.script({ text: '' })
    const all = await parts()
    expect(types(all)).toEqual(['stream-start', 'response-metadata', 'finish'])
    expect(all.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
  })

  it('leaves missing usage undefined (12)', async () => {
    server.script({ text: 'x', usage: null })
    expect((await parts()).at(-1)).toMatchObject({
      usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
    })
  })

  it('returns a forced tool call as JSON text in one step (1)', async () => {
    server.script({ toolCalls: [{ name: 'route', arguments: { member: 'm1' } }] })
    const all = await parts(userSays('x', FORCED))
    expect(all.find((part) => part.type === 'tool-call')).toMatchObject({ input: '{"member":"m1"}' })
  })

  it('returns unknown tools and broken arguments as ordinary calls, unchecked (3)', async () => {
    server.script({
      toolCalls: [
        { name: 'route', arguments: '{"member": "m' },
        { name: 'nobody', arguments: {} },
      ],
    })
    const calls = (await parts(userSays('x', FORCED))).filter((part) => part.type === 'tool-call')
    expect(calls.map((call) => [call.toolName, call.input])).toEqual([
      ['route', '{"member": "m'],
      ['nobody', '{}'],
    ])
  })
})

describe('the wrapper', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  it('passes on text despite a forced tool: the caller repairs a missing call, it is not a failure (2)', async () => {
    server.script('I would rather talk')
    const { model, attempts, events } = modelsForTest()({
      targets: [targetOf(server.url, 'a'), targetOf(server.url, 'b')],
    })
    const { text, parts, error } = await streamText(model, userSays('x', FORCED))
    expect([text, error]).toEqual(['I would rather talk', undefined])
    expect(parts.some((part) => part.type === 'tool-call')).toBe(false)
    expect(attempts).toMatchObject([{ ok: true }])
    expect(events).toEqual([])
  })

  // Measures durations, which a busy machine stretches.
  it('retries within a second where the SDK would wait two (8)', { retry: 2 }, async () => {
    server.script({ status: 500 }, 'fine')
    const { model } = modelsForTest()({ targets: [targetOf(server.url, 'a')] })
    await streamText(model)
    // 250 ms on a clock that is 20 times as fast.
    const [first, second] = server.requests
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeLessThan(100)
  })

  it('counts what a failed attempt cost when its error is followed by usage', async () => {
    const usage = { inputTokens: 7, outputTokens: 3 }
    server.script({ text: 'x', error: { after: 0, message: 'boom' }, usage }, 'fine')
    const { model, attempts } = modelsForTest()({ targets: [targetOf(server.url, 'a')] })
    await streamText(model)
    expect(attempts.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual([
      [7, 3],
      [10, 5],
    ])
  })
})
