import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { idNamed } from '@troupe/agents/testing/test-ids'
import { LlmConfigId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

describe('a chain whose primary answers', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const open = (parameters = {}) => modelsForTest()({ targets: [targetOf(server.url, 'm', { parameters })] })

  it('streams the text delta by delta and ends with finish and usage', async () => {
    server.script({ text: 'one two three', chunks: 3 })
    const { model, attempts, events } = open()
    const { text, parts, error } = await streamText(model)
    expect(error).toBeUndefined()
    expect(text).toBe('one two three')
    expect(parts.filter((part) => part.type === 'text-delta')).toHaveLength(3)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
    expect(events).toEqual([])
    expect(attempts).toEqual([
      {
        llmConfigId: idNamed(LlmConfigId, 'm'),
        modelId: 'm',
        attempt: 1,
        isFallback: false,
        inputTokens: 10,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        cacheWriteHourTokens: 0,
        outputTokens: 5,
        reasoningTokens: 0,
        usageIncomplete: false,
        latencyMs: expect.any(Number),
        ttftMs: expect.any(Number),
        ok: true,
        errorCode: null,
        internalMessage: null,
        note: null,
        providerMessage: null,
      },
    ])
  })

  it('returns the whole answer from doGenerate, requested as a stream', async () => {
    server.script({ text: 'whole', reasoning: 'because', toolCalls: [{ name: 'weather', arguments: {} }] })
    const result = await open().model.doGenerate(userSays('Hi', { tools: [WEATHER] }))
    expect(server.requests[0]?.body.stream).toBe(true)
    expect(result.content).toMatchObject([
      { type: 'reasoning', text: 'because' },
      { type: 'text', text: 'whole' },
      { type: 'tool-call', toolName: 'weather', input: '{}' },
    ])
    expect(result.usage.inputTokens.total).toBe(10)
    expect(result.response?.modelId).toBe('m')
  })

  it('passes a forced tool call with its arguments', async () => {
    server.script({ toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] })
    const { model } = open()
    const { parts } = await streamText(
      model,
      userSays('Weather?', { tools: [WEATHER], toolChoice: { type: 'tool', toolName: 'weather' } }),
    )
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
      toolCallId: 'c1',
      toolName: 'weather',
      input: '{"city":"Oslo"}',
    })
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
    expect(server.requests[0]?.body.tool_choice).toEqual({ type: 'function', function: { name: 'weather' } })
  })

  it('sends the parameters of the target and requests usage', async () => {
    const { model } = open({
      temperature: 0.2,
      topP: 0.9,
      maxOutputTokens: 77,
      seed: 5,
      stopSequences: ['END'],
      reasoningEffort: 'low',
      providerOptions: { custom_flag: true },
    })
    await streamText(model)
    expect(server.requests[0]?.body).toMatchObject({
      model: 'm',
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 77,
      seed: 5,
      stop: ['END'],
      reasoning_effort: 'low',
      custom_flag: true,
      stream_options: { include_usage: true },
    })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-key-of-the-tenant')
  })

  it('sends no parameter that is null', async () => {
    await streamText(open().model)
    const body = server.requests[0]?.body ?? {}
    expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'stream', 'stream_options'])
  })

  it('lets the caller set another temperature and keeps the smaller output limit', async () => {
    const { model } = open({ temperature: 0.7, maxOutputTokens: 100 })
    await streamText(model, userSays('x', { temperature: 0, maxOutputTokens: 5000 }))
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0, max_tokens: 100 })
  })

  it('sends a JSON schema as the response format', async () => {
    await streamText(
      open().model,
      userSays('x', { responseFormat: { type: 'json', schema: { type: 'object' } } }),
    )
    expect(server.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' })
  })

  it('counts cached and reasoning tokens', async () => {
    server.script({
      text: 'x',
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 60, reasoningTokens: 8 },
    })
    const { model, attempts } = open()
    await streamText(model)
    expect(attempts[0]).toMatchObject({
      inputTokens: 100,
      cachedTokens: 60,
      outputTokens: 20,
      reasoningTokens: 8,
      usageIncomplete: false,
    })
  })

  it('counts missing usage as 0 and marks it', async () => {
    server.script({ text: 'x', usage: null })
    const { model, attempts } = open()
    await streamText(model)
    expect(attempts[0]).toMatchObject({ inputTokens: 0, outputTokens: 0, usageIncomplete: true, ok: true })
  })

  it('passes the first token through before the rest arrives', async () => {
    server.script({ text: 'first second', chunks: 2, paceMs: 60_000 })
    const { model, attempts } = open()
    const { stream } = await model.doStream(userSays('x'))
    const reader = stream.getReader()
    for (;;) {
      const { value } = await reader.read()
      if (value?.type === 'text-delta') break
    }
    await reader.cancel()
    expect(attempts[0]).toMatchObject({ ok: false, errorCode: 'aborted', usageIncomplete: true })
    expect(await server.requests[0]?.aborted).toEqual(expect.any(Number))
  })
})
