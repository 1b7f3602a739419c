import { ChatModelError } from '@troupe/agents/ports'
import { idNamed } from '@troupe/agents/testing/test-ids'
import { LlmConfigId } from '@troupe/contract'
import { type ModelReply, type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const TOOL = { type: 'function', name: 'lookup', inputSchema: { type: 'object' } } as const

describe('a chain whose models fail before any content', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const asked = () => server.requests.map((request) => request.body.model)
  const two = (overrides = {}) =>
    modelsForTest()({ targets: [targetOf(server.url, 'a'), targetOf(server.url, 'b', overrides)] })
  const one = () => modelsForTest()({ targets: [targetOf(server.url, 'a')] })

  it('calls the same model again after a 500', async () => {
    server.script({ status: 500 }, 'fine')
    const { model, attempts, events } = two()
    expect((await streamText(model)).text).toBe('fine')
    expect(asked()).toEqual(['a', 'a'])
    expect(attempts.map(({ attempt, ok, errorCode }) => [attempt, ok, errorCode])).toEqual([
      [1, false, 'http_500'],
      [2, true, null],
    ])
    expect(events).toEqual([])
  })

  it.each([
    408, 409, 429, 500, 503, 529,
  ])('goes to the fallback after two answers with %i', async (status) => {
    server.script({ status }, { status }, 'from b')
    const { model, attempts, events } = two()
    expect((await streamText(model)).text).toBe('from b')
    expect(asked()).toEqual(['a', 'a', 'b'])
    expect(attempts.map((attempt) => attempt.isFallback)).toEqual([false, false, true])
    expect(events).toHaveLength(1)
    expect(events[0]).toMatch(/^failover a->b (error|rate_limit|timeout)$/)
  })

  it('waits for the time in a Retry-After of up to 2 s', async () => {
    server.script({ status: 429, headers: { 'retry-after': '1' } }, 'later')
    const { model } = two()
    expect((await streamText(model)).text).toBe('later')
    // The clock is 20 times as fast: 1 s takes 50 ms.
    const [first, second] = server.requests
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(45)
  })

  it('goes to the fallback at once when Retry-After is longer than 2 s', async () => {
    server.script({ status: 429, headers: { 'retry-after': '30' } }, 'from b')
    const { model, events } = two()
    expect((await streamText(model)).text).toBe('from b')
    expect(asked()).toEqual(['a', 'b'])
    expect(events).toEqual(['failover a->b rate_limit'])
  })

  it.each([400, 401, 403, 422])('surfaces %i at once and never masks it with a fallback', async (status) => {
    server.script({
      status,
      body: { error: { message: 'host db7.internal says no to sk-secret-key-of-the-tenant' } },
    })
    const { model, attempts } = two()
    const { error } = await streamText(model)
    expect(error).toBeInstanceOf(ChatModelError)
    expect(error).toMatchObject({ code: 'fatal' })
    expect((error as ChatModelError).message).not.toMatch(/db7|sk-secret/)
    expect((error as ChatModelError).internalMessage).toContain('db7.internal says no to [secret]')
    expect(attempts).toMatchObject([{ ok: false, errorCode: `http_${status}` }])
    expect(attempts[0]?.internalMessage).not.toContain('sk-secret')
    expect(asked()).toEqual(['a'])
  })

  it('surfaces a content refusal', async () => {
    server.script({ status: 400, body: { error: { message: 'no', code: 'content_filter' } } })
    expect((await streamText(two().model)).error).toMatchObject({ code: 'fatal' })
    server.script({ text: '', finishReason: 'content_filter' })
    const { model, attempts } = two()
    expect((await streamText(model)).error).toMatchObject({ code: 'fatal' })
    expect(attempts[0]?.errorCode).toBe('model_refused')
  })

  it('goes to the next model when the provider does not know the model', async () => {
    server.script({ status: 404, body: { error: { message: 'gone', code: 'model_not_found' } } }, 'from b')
    const { model, attempts } = two()
    expect((await streamText(model)).text).toBe('from b')
    expect(asked()).toEqual(['a', 'b'])
    expect(attempts[0]?.errorCode).toBe('model_not_found')
  })

  it('treats a refused connection as a failure that may be repeated', async () => {
    const closed = await startModelServer()
    await closed.close()
    server.script('from b')
    const { model, attempts } = modelsForTest()({
      targets: [targetOf(closed.url, 'a'), targetOf(server.url, 'b')],
    })
    expect((await streamText(model)).text).toBe('from b')
    expect(attempts.map((attempt) => attempt.errorCode)).toEqual(['network', 'network', null])
  })

  const broken: [string, ModelReply, string][] = [
    [
      'an error chunk before any text',
      { text: 'x', error: { after: 0, message: 'overloaded' } },
      'provider_error',
    ],
    ['a socket that dies before any text', { text: 'x', breakAfter: 0 }, 'network'],
    ['an empty answer', { text: '' }, 'empty_response'],
  ]
  it.each(broken)('calls it again and then the fallback after %s', async (_name, reply, errorCode) => {
    server.script(reply, reply, 'from b')
    const { model, attempts, events } = two()
    const { text, parts } = await streamText(model)
    expect(text).toBe('from b')
    expect(parts.filter((part) => part.type === 'stream-start')).toHaveLength(1)
    expect(attempts.map((attempt) => attempt.errorCode)).toEqual([errorCode, errorCode, null])
    expect(events).toEqual(['failover a->b error'])
  })

  it('keeps the tools, the tool choice and the fallback own parameters on failover', async () => {
    server.script({ status: 500 }, { status: 500 }, { toolCalls: [{ name: 'lookup', arguments: {} }] })
    const { model } = modelsForTest()({
      targets: [
        targetOf(server.url, 'a', { parameters: { temperature: 0.1, reasoningEffort: 'high' } }),
        targetOf(server.url, 'b', { parameters: { temperature: 0.9, maxOutputTokens: 50 } }),
      ],
    })
    await streamText(model, userSays('x', { tools: [TOOL], toolChoice: { type: 'required' } }))
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.1, reasoning_effort: 'high' })
    const second = server.requests[2]?.body
    expect(second).toMatchObject({ model: 'b', temperature: 0.9, max_tokens: 50, tool_choice: 'required' })
    expect(second).not.toHaveProperty('reasoning_effort')
    expect(second?.tools?.map((tool) => tool.function.name)).toEqual(['lookup'])
  })

  it('skips a fallback that does not apply to the class of the failure', async () => {
    server.script({ status: 429 }, { status: 429 }, 'from c')
    const { model, events } = modelsForTest()({
      targets: [
        targetOf(server.url, 'a'),
        targetOf(server.url, 'b', { on: ['timeout'] }),
        targetOf(server.url, 'c', { on: ['rate_limit'] }),
      ],
    })
    expect((await streamText(model)).text).toBe('from c')
    expect(events).toEqual(['failover a->c rate_limit'])
  })

  it('uses only a larger context window after an overflow', async () => {
    const overflow = { status: 400, body: { error: { message: 'x', code: 'context_length_exceeded' } } }
    server.script(overflow, 'from c')
    const { model, events } = modelsForTest()({
      targets: [
        targetOf(server.url, 'a', { contextLength: 8000 }),
        targetOf(server.url, 'b', { contextLength: 8000 }),
        targetOf(server.url, 'c', { contextLength: 32000 }),
      ],
    })
    expect((await streamText(model)).text).toBe('from c')
    expect(events).toEqual(['failover a->c context_overflow'])
    server.script(overflow)
    const { error } = await streamText(two().model)
    expect(error).toMatchObject({
      code: 'exhausted',
      message: 'The conversation is longer than the model can read.',
    })
  })

  it('ends as exhausted, listing every attempt for the log', async () => {
    server.respond(() => ({ status: 503 }))
    const { error } = await streamText(two().model)
    expect(error).toMatchObject({ name: 'ChatModelError', code: 'exhausted' })
    expect((error as ChatModelError).internalMessage.split('\n')).toEqual([
      expect.stringContaining(`${idNamed(LlmConfigId, 'a')}/a #1 http_503`),
      expect.stringContaining(`${idNamed(LlmConfigId, 'a')}/a #2 http_503`),
      expect.stringContaining(`${idNamed(LlmConfigId, 'b')}/b #1 http_503`),
      expect.stringContaining(`${idNamed(LlmConfigId, 'b')}/b #2 http_503`),
    ])
  })

  it("ends as empty_response if the last model's answer is empty", async () => {
    server.respond(() => ({ text: '' }))
    const { model, attempts } = one()
    expect((await streamText(model)).error).toMatchObject({ code: 'empty_response' })
    expect(attempts).toMatchObject([
      { ok: false, inputTokens: 10, outputTokens: 5, usageIncomplete: false },
      { ok: false, inputTokens: 10, outputTokens: 5, usageIncomplete: false },
    ])
  })

  it('starts no attempt with less than 2 s left', async () => {
    server.respond(() => ({ status: 500 }))
    const late = modelsForTest()({ targets: [targetOf(server.url, 'a')], timeLeftMs: 1500 })
    expect((await streamText(late.model)).error).toMatchObject({ code: 'exhausted' })
    expect(asked()).toEqual([])
    const oneShot = modelsForTest()({ targets: [targetOf(server.url, 'a')], timeLeftMs: 20_000 })
    server.script({ status: 500, headersDelayMs: 920 })
    await streamText(oneShot.model)
    expect(asked()).toEqual(['a'])
  })
})
