import { ChatModelError } from '@troupe/agents/ports'
import { TestClock } from '@troupe/agents/testing/test-clock'
import { type ModelReply, type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

describe('a chain and its timers', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const open = (retry: object, midStream: 'fail' | 'restart' = 'fail') =>
    modelsForTest(new TestClock())({
      targets: [targetOf(server.url, 'a'), targetOf(server.url, 'b')],
      retry: { attemptsPerModel: 1, ...retry },
      midStream,
    })

  const silent: [string, ModelReply][] = [
    ['no headers come', { hang: 'headers' }],
    ['headers come late', { text: 'x', headersDelayMs: 60_000 }],
    ['headers come but no token', { text: 'x', firstTokenDelayMs: 60_000 }],
  ]
  it.each(silent)('continues after the first-token timeout when %s', async (_name, reply) => {
    server.script(reply, 'from b')
    const { model, attempts, events } = open({ firstTokenTimeoutMs: 1_000 })
    expect((await streamText(model)).text).toBe('from b')
    expect(events).toEqual(['failover a->b timeout'])
    expect(attempts[0]).toMatchObject({ errorCode: 'timeout', ttftMs: null })
    expect(attempts[0]?.internalMessage).toBe('first token timeout after 1000 ms')
    await server.requests[0]?.aborted
  })

  it('breaks a stream that is silent for the idle timeout', async () => {
    server.script({ text: 'one two', chunks: 2, paceMs: 60_000 })
    const { model, attempts } = open({ idleTimeoutMs: 500 })
    const { text, error } = await streamText(model)
    expect(text).toBe('one ')
    expect(error).toMatchObject({ code: 'stream_broken' })
    expect(attempts[0]?.internalMessage).toBe('idle timeout after 500 ms')
    await server.requests[0]?.aborted
  })

  it('does not count time without a reader as idle', async () => {
    server.script({ text: 'one two three', chunks: 3 })
    const { model } = open({ idleTimeoutMs: 1_000 })
    const { stream } = await model.doStream(userSays('x'))
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    let text = ''
    for await (const part of stream) if (part.type === 'text-delta') text += part.delta
    expect(text).toBe('one two three')
  })

  it('ends a stream without pauses at the call timeout', async () => {
    server.script({ text: 'x'.repeat(1000), chunks: 1000, paceMs: 5 })
    const { model, attempts } = open({ callTimeoutMs: 1_000 })
    const { text, error } = await streamText(model)
    expect(text.length).toBeGreaterThan(1)
    expect(error).toMatchObject({ code: 'stream_broken' })
    expect(attempts[0]?.internalMessage).toBe('call timeout after 1000 ms')
  })

  const cut: [string, ModelReply][] = [
    ['its socket dies', { text: 'one two', chunks: 2, breakAfter: 1 }],
    [
      'it reports an error',
      { text: 'one two', chunks: 2, error: { after: 1, message: 'boom at db7.internal' } },
    ],
    ['it ends without a finish reason', { text: 'one ', finishReason: null, done: false }],
  ]
  it.each(cut)('ends a stream with an error when %s after the first part', async (_name, reply) => {
    server.script(reply)
    const { model, attempts, events } = open({})
    const { text, error } = await streamText(model)
    expect(text).toBe('one ')
    expect(error).toBeInstanceOf(ChatModelError)
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: expect.stringMatching(/^The model's answer was cut off/),
    })
    expect(attempts).toMatchObject([{ ok: false }])
    expect(events).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it.each(cut)('starts again on the next model with midStream restart when %s', async (_name, reply) => {
    server.script(reply, 'all of b')
    const { model, attempts, events } = open({}, 'restart')
    const { text, parts, error } = await streamText(model)
    expect(error).toBeUndefined()
    expect(text).toBe('one all of b')
    expect(events).toEqual(['reset', 'failover a->b error'])
    expect(attempts.map(({ modelId, ok }) => [modelId, ok])).toEqual([
      ['a', false],
      ['b', true],
    ])
    expect(parts.filter((part) => part.type === 'finish')).toHaveLength(1)
    expect(server.requests.map((request) => request.body.model)).toEqual(['a', 'b'])
  })

  it('has reported the reset before the first part of the restart is read', async () => {
    server.script({ text: 'one two', chunks: 2, breakAfter: 1 }, 'all of b')
    const { model, events } = open({}, 'restart')
    const { stream } = await model.doStream(userSays('x'))
    const seen: string[] = []
    for await (const part of stream)
      if (part.type === 'text-delta') seen.push(`${events.length}:${part.delta}`)
    expect(seen).toEqual(['0:one ', '2:all of b'])
  })

  it('breaks when no model is left to restart on', async () => {
    server.respond(() => ({ text: 'one two', chunks: 2, breakAfter: 1 }))
    const { model, events } = open({}, 'restart')
    expect((await streamText(model)).error).toMatchObject({ code: 'stream_broken' })
    expect(events).toEqual(['reset', 'failover a->b error'])
  })
})
