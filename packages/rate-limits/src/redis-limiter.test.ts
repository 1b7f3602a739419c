import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import type { Limited, RateLimiter } from './rate-limiter.ts'
import { createRedisLimiter } from './redis-limiter.ts'
import { startRedis } from './testing/redis-process.ts'

const redis = await startRedis()
afterAll(() => redis?.[Symbol.asyncDispose]())

const principal = (name: string, given: Partial<Limited> = {}): Limited =>
  ({
    keyId: `key-${name}`,
    organizationId: `org-${name}`,
    organizationRpm: 100,
    keyRpm: null,
    ...given,
  }) as Limited

/** A limiter that already counts in Redis: before it is connected, it counts in memory. */
async function connected(log: string[] = [], windowSeconds?: number): Promise<RateLimiter> {
  const note = (text: string) => log.push(text)
  const limiter = createRedisLimiter(redis?.url ?? '', { warn: note, info: note }, windowSeconds)
  const probe = principal(randomUUID())
  const store = new Redis(redis?.url ?? '')
  try {
    const counted = async () => {
      await limiter.count(probe)
      return (await store.keys(`*${probe.organizationId}*`)).length
    }
    await expect.poll(counted, { interval: 20 }).toBeGreaterThan(0)
  } finally {
    store.disconnect()
  }
  return limiter
}

describe.skipIf(!redis)('with Redis', () => {
  test('two processes share one count, exactly', async () => {
    await using first = await connected()
    await using second = await connected()
    const counts = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => (at % 2 ? first : second).count(principal('shared'))),
    )
    expect(counts.filter(({ organization }) => organization.used <= 100)).toHaveLength(100)
    expect(new Set(counts.map(({ organization }) => organization.used)).size).toBe(1_000)
  })

  test('a key ends with the window of its organization', async () => {
    await using limiter = await connected([], 2)
    const limited = principal('window', { keyRpm: 5 })
    expect(await limiter.count(limited)).toMatchObject({ organization: { used: 1 }, keyUsed: 1 })
    const { organization, keyUsed } = await limiter.count(limited)
    expect([organization.used, keyUsed]).toEqual([2, 2])
    expect(organization.resetMs).toBeGreaterThan(0)
    expect(organization.resetMs).toBeLessThanOrEqual(2_000)
    await pause(organization.resetMs + 50)
    expect(await limiter.count(limited)).toMatchObject({ organization: { used: 1 }, keyUsed: 1 })
  })

  test('a process that was busy for a second counts in Redis, not for itself', async () => {
    const log: string[] = []
    await using first = await connected()
    await using second = await connected(log)
    const one = principal('busy')
    expect(await first.count(one)).toMatchObject({ organization: { used: 1 } })
    const counts = Array.from({ length: 20 }, () => second.count(one))
    // Blocked before the next turn of the event loop: all timers are due before an answer can be read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
    expect((await Promise.all(counts)).map(({ organization }) => organization.used)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 2),
    )
    expect(log).toEqual([])
  })

  test('a store that is connected and silent is replaced by memory within a second, and logged once', async () => {
    const log: string[] = []
    await using limiter = await connected(log)
    const one = principal('silent')
    for (let used = 1; used <= 3; used += 1)
      expect(await limiter.count(one)).toMatchObject({ organization: { used } })
    redis?.pause()
    try {
      const counts = await Promise.all([limiter.count(one), limiter.count(one)])
      expect(counts.map(({ organization }) => organization.used)).toEqual([4, 5])
      expect(log).toEqual(['Redis does not answer: rate limits are counted in this process until it does.'])
    } finally {
      redis?.resume()
    }
    await expect
      .poll(async () => {
        await limiter.count(one)
        return log.length
      })
      .toBe(2)
    expect(log[1]).toBe('Redis answers again: rate limits are counted there.')
  })

  test('an outage is survived in memory, logged once, and ends automatically', async () => {
    const log: string[] = []
    await using limiter = await connected(log)
    const one = principal('outage')
    expect(await limiter.count(one)).toMatchObject({ organization: { used: 1 } })
    await redis?.stop()
    await pause(50)
    const during = await Promise.all(Array.from({ length: 50 }, () => limiter.count(one)))
    expect(during.map(({ organization }) => organization.used)).toEqual(
      // Memory continues from the count of Redis: an outage must not reset the limit.
      Array.from({ length: 50 }, (_, at) => at + 2),
    )
    expect(log).toEqual(['Redis does not answer: rate limits are counted in this process until it does.'])
    await redis?.start()
    for (let tries = 0; log.length < 2 && tries < 100; tries += 1) await pause(50)
    expect(log[1]).toBe('Redis answers again: rate limits are counted there.')
    // Redis comes back empty, and its restart must not reset the limit either.
    expect(await limiter.count(one)).toMatchObject({ organization: { used: 52 } })
  })

  test('a restart without a request during it does not reset a limit before the end of the window', async () => {
    const log: string[] = []
    await using limiter = await connected(log)
    const hit = () => limiter.hit('guesses-over-a-restart', 4)
    for (let used = 1; used <= 10; used += 1) expect(await hit()).toMatchObject({ used })
    await pause(1_200)
    await redis?.stop()
    await redis?.start()
    for (let tries = 0; log.length < 2 && tries < 100; tries += 1) await pause(20)
    expect(await limiter.peek('guesses-over-a-restart')).toMatchObject({ used: 10 })
    const first = await hit()
    expect(first).toMatchObject({ used: 11 })
    expect(first.resetMs, 'the window ends when it would have').toBeLessThan(3_000)
    expect(await limiter.peek('guesses-over-a-restart')).toMatchObject({ used: 11 })
    await limiter.takeBack('guesses-over-a-restart')
    expect(await hit()).toMatchObject({ used: 11 })
    await pause(first.resetMs)
    // Redis counts again after its restart.
    expect((await hit()).used).toBeLessThan(5)
  })

  test('counts that another process returns are not charged to this one', async () => {
    await using first = await connected()
    await using second = await connected()
    for (let used = 1; used <= 5; used += 1) expect(await first.hit('taken-back', 60)).toMatchObject({ used })
    expect(await second.hit('taken-back', 60)).toMatchObject({ used: 6 })
    for (let at = 0; at < 5; at += 1) await first.takeBack('taken-back')
    expect(await second.hit('taken-back', 60)).toMatchObject({ used: 2 })
  })

  test('an attempt that was counted in memory during an outage is not taken from Redis after it', async () => {
    const log: string[] = []
    await using limiter = await connected(log)
    const name = 'guesses-in-an-outage'
    await redis?.stop()
    await pause(50)
    expect(await limiter.hit(name, 60)).toMatchObject({ used: 1 })
    await redis?.start()
    for (let tries = 0; log.length < 2 && tries < 100; tries += 1) await pause(50)
    await limiter.takeBack(name)
    expect(await limiter.hit(name, 60)).toMatchObject({ used: 1 })
  })
})

test('a store that was never available does not stop requests', async () => {
  const log: string[] = []
  const note = (text: string) => log.push(text)
  await using limiter = createRedisLimiter('redis://127.0.0.1:1', { warn: note, info: note })
  expect(await limiter.count(principal('never'))).toMatchObject({ organization: { used: 1 } })
  await pause(300)
  expect(await limiter.count(principal('never'))).toMatchObject({ organization: { used: 2 } })
  expect(log).toHaveLength(1)
})
