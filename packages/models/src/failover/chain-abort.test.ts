import { TestClock } from '@troupe/agents/testing/test-clock'
import { type ModelReply, type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const CANCEL = { kind: 'cancel' }

describe('a chain that is aborted', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const open = () =>
    modelsForTest(new TestClock())({ targets: [targetOf(server.url, 'a'), targetOf(server.url, 'b')] })
  const received = async () => {
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  const pending: [string, ModelReply][] = [
    ['before the headers', { hang: 'headers' }],
    ['before the first token', { text: 'x', firstTokenDelayMs: 60_000 }],
  ]
  // Measures when sockets are closed: a busy machine may be late.
  it.each(pending)(
    '%s closes the socket of the provider within 200 ms',
    { retry: 2 },
    async (_name, reply) => {
      server.script(reply)
      const { model, attempts } = open()
      const controller = new AbortController()
      const answer = streamText(model, userSays('x', { abortSignal: controller.signal }))
      await received()
      const abortedAt = Date.now()
      controller.abort(CANCEL)
      expect((await answer).error).toBe(CANCEL)
      const closedAt = (await server.requests[0]?.aborted) ?? 0
      expect(closedAt - abortedAt).toBeLessThan(200)
      expect(attempts).toMatchObject([{ ok: false, errorCode: 'aborted' }])
      expect(server.requests).toHaveLength(1)
    },
  )

  // Measures when sockets are closed: a busy machine may be late.
  it('in the middle of the stream closes the socket within 200 ms and passes the reason unchanged', {
    retry: 2,
  }, async () => {
    server.script({ text: 'one two', chunks: 2, paceMs: 60_000 })
    const { model, attempts } = open()
    const controller = new AbortController()
    const { stream } = await model.doStream(userSays('x', { abortSignal: controller.signal }))
    const seen: string[] = []
    let abortedAt = 0
    const drain = async () => {
      for await (const part of stream) {
        if (part.type !== 'text-delta') continue
        seen.push(part.delta)
        abortedAt = Date.now()
        setTimeout(() => controller.abort(CANCEL), 10)
      }
    }
    await expect(drain()).rejects.toBe(CANCEL)
    expect(seen).toEqual(['one '])
    const closedAt = (await server.requests[0]?.aborted) ?? 0
    expect(closedAt - abortedAt - 10).toBeLessThan(200)
    expect(attempts).toMatchObject([{ ok: false, errorCode: 'aborted', ttftMs: expect.any(Number) }])
  })

  it('during the pause between two attempts makes no further call', async () => {
    server.script({ status: 500 })
    const { model, attempts } = open()
    const controller = new AbortController()
    const answer = streamText(model, userSays('x', { abortSignal: controller.signal }))
    while (attempts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(CANCEL)
    expect((await answer).error).toBe(CANCEL)
    expect(server.requests).toHaveLength(1)
  })

  it('before the call makes no call', async () => {
    const { model, attempts } = open()
    const { error } = await streamText(model, userSays('x', { abortSignal: AbortSignal.abort(CANCEL) }))
    expect(error).toBe(CANCEL)
    expect(server.requests).toHaveLength(0)
    expect(attempts).toEqual([])
  })

  it('ends at once even if the fetch ignores its signal', async () => {
    server.script({ hang: 'headers' })
    const deaf: typeof fetch = (input, init) => fetch(input, { ...init, signal: null })
    const { model } = modelsForTest(new TestClock(), deaf)({ targets: [targetOf(server.url, 'a')] })
    const controller = new AbortController()
    const answer = streamText(model, userSays('x', { abortSignal: controller.signal }))
    await received()
    controller.abort(CANCEL)
    expect((await answer).error).toBe(CANCEL)
  })

  it('leaves no listener on the signal of the run', async () => {
    const { model } = open()
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    server.script({ status: 500 }, 'fine')
    await streamText(model, userSays('x', { abortSignal: signal }))
    expect(listeners).toBeLessThanOrEqual(0)
  })
})
