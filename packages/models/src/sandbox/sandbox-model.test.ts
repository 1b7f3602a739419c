import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { modelsForTest, sandboxTarget, streamText, userSays } from '../testing/open-chain.ts'

const TOOL: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'lookup',
  inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 7 } }, required: ['id'] },
}

const open = () => modelsForTest()({ targets: [sandboxTarget()], agentName: 'Writer' })
const say = (text: string, rest: Partial<LanguageModelV4CallOptions> = {}) =>
  streamText(open().model, userSays(text, rest))
const callsOf = ({ parts }: Awaited<ReturnType<typeof say>>) =>
  parts
    .filter((part) => part.type === 'tool-call')
    .map(({ toolName, input }) => [toolName, JSON.parse(input)])

describe('sandbox-1', () => {
  it('echoes the last user message by words and states that it is a sandbox', async () => {
    const { text, parts } = await say('Hello  there, world')
    expect(text).toBe('[sandbox] Writer: Hello  there, world')
    expect(parts.filter((part) => part.type === 'text-delta').map((part) => part.delta)).toEqual([
      '[sandbox]',
      ' Writer:',
      ' Hello',
      '  there,',
      ' world',
    ])
  })

  it('streams a long reply by more than a word, and all of it', async () => {
    const reply = 'one  two '.repeat(20_000).trim()
    const { text, parts } = await say(`[[reply: ${reply}]]`)
    expect(text).toBe(reply)
    expect(parts.filter((part) => part.type === 'text-delta').length).toBeLessThanOrEqual(2_000)
  })

  it('refuses a schema whose smallest value is too large', async () => {
    const schema = { type: 'array', minItems: 100_000_000, items: {} } as const
    const { error } = await say('x', { responseFormat: { type: 'json', schema } })
    expect(error).toMatchObject({ code: 'fatal' })
  })

  it('echoes at most 400 characters', async () => {
    const { text } = await say('ä'.repeat(500))
    expect(text).toBe(`[sandbox] Writer: ${'ä'.repeat(400)}`)
  })

  it('reports words as tokens, through the same ledger as any model', async () => {
    const { model, attempts } = open()
    await streamText(model, userSays('one two three'))
    expect(attempts).toMatchObject([{ ok: true, inputTokens: 3, outputTokens: 5, usageIncomplete: false }])
  })

  it('is deterministic', async () => {
    expect((await say('same')).parts).toEqual((await say('same')).parts)
  })

  it('answers a forced tool with the smallest instance of its schema', async () => {
    const answer = await say('x', { tools: [TOOL], toolChoice: { type: 'tool', toolName: 'lookup' } })
    expect(callsOf(answer)).toEqual([['lookup', { id: 7 }]])
    expect(answer.parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it('answers a structured output with the smallest instance of its schema', async () => {
    const { text } = await say('x', { responseFormat: { type: 'json', schema: TOOL.inputSchema } })
    expect(JSON.parse(text)).toEqual({ id: 7 })
  })

  it('calls no optional tool without a directive', async () => {
    expect(callsOf(await say('x', { tools: [TOOL] }))).toEqual([])
    expect(callsOf(await say('x', { tools: [TOOL], toolChoice: { type: 'required' } }))).toEqual([
      ['lookup', { id: 7 }],
    ])
  })

  it('calls the tool of a directive if it is offered, then answers with its result', async () => {
    const ask = '[[tool: lookup {"id": 9}]] Find it'
    expect(callsOf(await say(ask, { tools: [TOOL] }))).toEqual([['lookup', { id: 9 }]])
    expect((await say(ask)).text).toBe('[sandbox] Writer: Find it')
    const { prompt } = userSays(ask)
    const { model } = open()
    const { text } = await streamText(model, {
      tools: [TOOL],
      prompt: [
        ...prompt,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'lookup', input: { id: 9 } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c',
              toolName: 'lookup',
              output: { type: 'json', value: { name: 'nine' } },
            },
          ],
        },
      ],
    })
    expect(text).toBe('[sandbox] Writer: {"name":"nine"}')
  })

  it("replies exactly with a directive's text", async () => {
    expect((await say('Hi [[reply: Fine, thanks.]]')).text).toBe('Fine, thanks.')
  })

  it('obeys directives in the instructions, but not those of earlier messages', async () => {
    const { text } = await streamText(open().model, {
      prompt: [
        { role: 'system', content: 'You write. [[usage: 70/30]]' },
        { role: 'user', content: [{ type: 'text', text: '[[reply: old]]' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'old' }] },
        { role: 'user', content: [{ type: 'text', text: 'new' }] },
      ],
    })
    expect(text).toBe('[sandbox] Writer: new')
  })

  it('reports the usage of a directive', async () => {
    const { model, attempts } = open()
    await streamText(model, userSays('x [[usage: 100/20]]'))
    expect(attempts).toMatchObject([{ inputTokens: 100, outputTokens: 20 }])
  })

  it('fails the first calls of a run and then answers', async () => {
    const { model, attempts } = open()
    expect((await streamText(model, userSays('x [[fail: 503 x1]]'))).text).toBe('[sandbox] Writer: x')
    expect(attempts.map((attempt) => attempt.errorCode)).toEqual(['http_503', null])
    const again = open()
    await streamText(again.model, userSays('x [[fail: 503 x1]]'))
    expect(again.attempts).toHaveLength(2)
  })

  it('fails every call without a count, and a fatal status at once', async () => {
    const { model, attempts } = open()
    expect((await streamText(model, userSays('x [[fail: 500]]'))).error).toMatchObject({ code: 'exhausted' })
    expect(attempts).toHaveLength(2)
    expect((await say('x [[fail: 401]]')).error).toMatchObject({ code: 'fatal' })
  })

  it('breaks the stream after some words', async () => {
    const { text, error } = await say('one two three [[break: 3]]')
    expect(text).toBe('[sandbox] Writer: one')
    expect(error).toMatchObject({ code: 'stream_broken' })
  })

  it('waits before the first token and between words', async () => {
    const started = performance.now()
    await say('a b [[delay: 400]] [[pace: 200]]')
    // 400 + 3 × 200 on a clock that is 20 times as fast.
    expect(performance.now() - started).toBeGreaterThanOrEqual(45)
  })

  // Measures durations, which a busy machine stretches.
  it('ends a delay at once when it is aborted, with the reason unchanged', { retry: 2 }, async () => {
    const controller = new AbortController()
    const answer = say('x [[delay: 600000]]', { abortSignal: controller.signal })
    setTimeout(() => controller.abort('cancel'), 5)
    const started = performance.now()
    expect((await answer).error).toBe('cancel')
    expect(performance.now() - started).toBeLessThan(200)
  })

  it('refuses every other model', async () => {
    const target = { ...sandboxTarget(), modelId: 'gpt-x' }
    const { model, attempts } = modelsForTest()({ targets: [target] })
    expect((await streamText(model)).error).toMatchObject({ code: 'exhausted' })
    expect(attempts).toMatchObject([{ errorCode: 'model_not_found' }])
  })
})
