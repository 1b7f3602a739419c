import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'
import { MAX_ANSWER, MAX_TOOL_CALLS, MAX_TOOL_INPUT } from './answer-size.ts'

const TOOL = { type: 'function', name: 'note', inputSchema: { type: 'object' } } as const

describe('an answer that is too large', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const open = (midStream: 'fail' | 'restart' = 'restart') =>
    modelsForTest()({ targets: [targetOf(server.url, 'm'), targetOf(server.url, 'other')], midStream })
  const tooLarge = { code: 'fatal', message: expect.stringMatching(/^The answer of the model was too large/) }

  it('fails the call, and no other model is called', async () => {
    server.script({ text: 'x'.repeat(30 * 1024 * 1024), chunks: 100 })
    const { model, attempts, events } = open()
    const { text, error } = await streamText(model)
    expect(error).toMatchObject(tooLarge)
    expect(text.length).toBeLessThanOrEqual(MAX_ANSWER)
    expect(events).toEqual([])
    expect(attempts).toMatchObject([{ ok: false, errorCode: 'answer_too_large' }])
  })

  it('fails the call also if it arrives as a whole', async () => {
    server.script({ text: 'x'.repeat(MAX_ANSWER + 1) })
    expect((await streamText(open().model)).error).toMatchObject(tooLarge)
  })

  it('is measured without its reasoning, which has the same limit', async () => {
    server.script({ reasoning: 'x'.repeat(MAX_ANSWER), text: 'x'.repeat(MAX_ANSWER) })
    expect((await streamText(open().model)).text).toHaveLength(MAX_ANSWER)
    server.script({ reasoning: 'x'.repeat(MAX_ANSWER + 1), text: 'x' })
    expect((await streamText(open().model)).error).toMatchObject(tooLarge)
  })

  it('also includes too long arguments of a tool, and too many tools', async () => {
    const asked = userSays('Hi', { tools: [TOOL] })
    server.script({ toolCalls: [{ name: 'note', arguments: { text: 'x'.repeat(MAX_TOOL_INPUT) } }] })
    expect((await streamText(open().model, asked)).error).toMatchObject(tooLarge)
    const calls = Array.from({ length: MAX_TOOL_CALLS + 1 }, () => ({ name: 'note', arguments: {} }))
    server.script({ toolCalls: calls })
    expect((await streamText(open().model, asked)).error).toMatchObject(tooLarge)
    server.script({ toolCalls: calls.slice(1) })
    expect((await streamText(open().model, asked)).error).toBeUndefined()
  })

  it.each([
    { inputTokens: -5, outputTokens: 3 },
    { inputTokens: 5e300, outputTokens: 0.4 },
    { inputTokens: 3, outputTokens: 1, cachedTokens: -1, reasoningTokens: -7 },
  ])('the usage %j is reported as valid counts, and as incomplete', async (usage) => {
    server.script({ text: 'x', usage })
    const { model, attempts } = open()
    expect((await streamText(model)).text).toBe('x')
    const [attempt] = attempts
    for (const count of [attempt?.inputTokens, attempt?.outputTokens, attempt?.cachedTokens]) {
      expect(count).toBeGreaterThanOrEqual(0)
      expect(count).toBeLessThanOrEqual(1e9)
    }
    expect(attempt).toMatchObject({ ok: true, usageIncomplete: true, reasoningTokens: 0 })
  })

  it('a defect of an observer is not mistaken for a broken answer', async () => {
    server.script({ text: 'x' })
    const { model, attempts } = open()
    attempts.push = () => {
      throw new RangeError('a counter cannot decrease')
    }
    expect((await streamText(model)).error).toBeInstanceOf(RangeError)
  })
})
