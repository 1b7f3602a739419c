import { TestClock } from '@troupe/agents/testing/test-clock'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'

describe('circuit breakers of a process', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const asked = () => server.requests.map((request) => request.body.model)

  it('skip a configuration after 5 failures, for every run, and try it again with one probe', async () => {
    const clock = new TestClock()
    const open = modelsForTest({
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      // Pauses between attempts are shortened; the circuits' times are not.
      schedule: (ms, task) => clock.schedule(ms / 100, task),
    })
    const settings = {
      targets: [targetOf(server.url, 'a'), targetOf(server.url, 'b')] as [
        ReturnType<typeof targetOf>,
        ReturnType<typeof targetOf>,
      ],
      retry: { firstTokenTimeoutMs: 2_000_000, callTimeoutMs: 2_000_000 },
    }
    let healthy = false
    server.respond((request) => (request.body.model === 'a' && !healthy ? { status: 500 } : { text: 'ok' }))

    for (let run = 0; run < 3; run++) await streamText(open(settings).model)
    expect(asked()).toEqual(['a', 'a', 'b', 'a', 'a', 'b', 'a', 'a', 'b'])

    server.requests.length = 0
    const skipping = open(settings)
    expect((await streamText(skipping.model)).text).toBe('ok')
    expect(asked()).toEqual(['b'])
    expect(skipping.events).toEqual(['failover a->b error'])
    expect(skipping.attempts).toMatchObject([{ isFallback: true }])

    clock.advance(30_000)
    server.requests.length = 0
    await streamText(open(settings).model)
    expect(asked()).toEqual(['a', 'b'])

    clock.advance(30_000)
    healthy = true
    server.requests.length = 0
    await streamText(open(settings).model)
    await streamText(open(settings).model)
    expect(asked()).toEqual(['a', 'a'])
  })

  it('skip none if all of them are open', async () => {
    const open = modelsForTest()
    const settings = { targets: [targetOf(server.url, 'a')] as [ReturnType<typeof targetOf>] }
    server.respond(() => ({ status: 500 }))
    for (let run = 0; run < 4; run++) await streamText(open(settings).model)
    expect(server.requests).toHaveLength(8)
    server.respond(() => ({ text: 'back' }))
    expect((await streamText(open(settings).model)).text).toBe('back')
  })
})
