import { setTimeout as pause } from 'node:timers/promises'
import { createMemoryLimiter } from '@troupe/rate-limits'
import { createRedisLimiter } from '@troupe/rate-limits/redis'
import { startRedis } from '@troupe/rate-limits/testing/redis-process'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const LIMITS = 'GET /api/v1/organizations/limits'
const number = (answer: TestAnswer, name: string) => Number(answer.headers[name] ?? Number.NaN)

describe('headers', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ organizationRpm: 1_000 })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('every answer after authentication has them, including errors', async () => {
    const key = server.seed.keys.organization
    const answers = [
      [200, await server.call(LIMITS)],
      [400, await server.call('GET /api/v1/agents?page=0')],
      [400, await server.call('POST /api/v1/agents', { body: '{' })],
      [400, await server.call('GET /api/v1/agents/%zz')],
      [
        403,
        await server.call(`GET /api/v1/agents/${server.seed.agents.organization}`, {
          key: server.seed.keys.project,
        }),
      ],
      [404, await server.call('GET /api/v1/agents/abc')],
      [404, await server.call('GET /api/v1/nothing')],
      [405, await server.call('DELETE /api/v1/agents')],
      [413, await server.call('POST /api/v1/agents', { body: `"${'x'.repeat(1_048_577)}"` })],
      [414, await server.call(`GET /api/v1/agents?status=${'x'.repeat(9_000)}`)],
      [
        415,
        await server.call('POST /api/v1/agents', {
          key,
          body: 'a=b',
          headers: { 'content-type': 'text/plain' },
        }),
      ],
      [
        422,
        await server.call('POST /api/v1/agents', {
          body: { name: 'x', projectId: server.seed.otherOrganizationProjectId },
        }),
      ],
    ] as const
    expect(answers.map(([, { status }]) => status)).toEqual(answers.map(([status]) => status))
    expect(answers.map(([, answer]) => number(answer, 'x-ratelimit-limit'))).toEqual(answers.map(() => 1_000))
    expect(answers.map(([, answer]) => number(answer, 'x-ratelimit-remaining'))).toEqual(
      answers.map((_, index) => 999 - index),
    )
    for (const [, answer] of answers) {
      const seconds = number(answer, 'x-ratelimit-reset') - Date.now() / 1000
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(61)
      expect(answer.headers['x-ratelimit-key-limit']).toBeUndefined()
    }
  })

  test('a limited key also shows its own', async () => {
    const answer = await server.call(LIMITS, { key: server.seed.keys.limited })
    expect(number(answer, 'x-ratelimit-key-limit')).toBe(3)
    expect(number(answer, 'x-ratelimit-key-remaining')).toBe(2)
  })

  test('an answer without a key has none', async () => {
    expect((await server.call(LIMITS, { key: null })).headers['x-ratelimit-limit']).toBeUndefined()
  })
})

describe('429', () => {
  test('the limit of the key', async () => {
    await using server = await startTestServer({ organizationRpm: 50 })
    const key = server.seed.keys.limited
    for (const remaining of [2, 1, 0]) {
      const answer = await server.call(LIMITS, { key })
      expect([answer.status, number(answer, 'x-ratelimit-key-remaining')]).toEqual([200, remaining])
    }
    const refused = await server.call(LIMITS, { key })
    const retryAfter = number(refused, 'retry-after')
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      error: 'rate_limit_exceeded',
      message: expect.stringMatching(/^Per-key rate limit exceeded/),
      retry_after: retryAfter,
    })
    expect(retryAfter).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(Math.abs(number(refused, 'x-ratelimit-reset') - (Date.now() / 1000 + retryAfter))).toBeLessThan(2)
    expect(number(refused, 'x-ratelimit-key-remaining')).toBe(0)
    expect(number(refused, 'x-ratelimit-remaining')).toBe(46)
    expect((await server.call(LIMITS)).status).toBe(200)
  })

  test("the limit of the organization is checked first, for all of its keys, and does not use up the key's", async () => {
    await using server = await startTestServer({ organizationRpm: 4 })
    const { limited, organization, otherOrganization } = server.seed.keys
    for (let n = 0; n < 3; n += 1) await server.call(LIMITS, { key: organization })
    expect(number(await server.call(LIMITS, { key: limited }), 'x-ratelimit-key-remaining')).toBe(2)
    for (let n = 0; n < 3; n += 1) {
      const refused = await server.call(LIMITS, { key: limited })
      expect(refused.status).toBe(429)
      expect(refused.body).toMatchObject({
        message: expect.stringMatching(/^Organization rate limit exceeded/),
      })
      expect(number(refused, 'x-ratelimit-remaining')).toBe(0)
      expect(number(refused, 'x-ratelimit-key-limit')).toBe(3)
      expect(number(refused, 'x-ratelimit-key-remaining')).toBe(2)
    }
    expect((await server.call(LIMITS, { key: otherOrganization })).status).toBe(200)
  })

  test('precedes 400, 404 and 405', async () => {
    await using server = await startTestServer({ organizationRpm: 1 })
    await server.call(LIMITS)
    for (const target of [
      'GET /api/v1/agents?page=0',
      'GET /api/v1/nothing',
      'PATCH /api/v1/agents',
      'GET /api/v1/agents/%zz',
    ]) {
      expect((await server.call(target)).status).toBe(429)
    }
    expect((await server.call('POST /api/v1/agents', { body: '{' })).status).toBe(429)
  })

  test('ends with the window, after the announced time', async () => {
    await using rateLimiter = createMemoryLimiter(1)
    await using server = await startTestServer({ organizationRpm: 2, overrides: { rateLimiter } })
    await server.call(LIMITS)
    await server.call(LIMITS)
    const refused = await server.call(LIMITS)
    expect([refused.status, number(refused, 'retry-after')]).toEqual([429, 1])
    await pause(1_000)
    const again = await server.call(LIMITS)
    expect([again.status, number(again, 'x-ratelimit-remaining')]).toEqual([200, 1])
  })

  // Measures a delay of at most a second, which a busy machine stretches.
  test('a new limit, written by another process, is in force within a second', { retry: 2 }, async () => {
    await using server = await startTestServer({ organizationRpm: 1 })
    await server.call(LIMITS)
    expect((await server.call(LIMITS)).status).toBe(429)
    const { database } = server.context
    const organization = (await database.read.organizations.byId(server.seed.organizationId))!
    await database.transaction(({ write }) => write.organizations.put({ ...organization, rpm: 100 }))
    await expect.poll(async () => (await server.call(LIMITS)).status, { timeout: 1_000 }).toBe(200)
  })
})

describe('exactness', () => {
  const statuses = async (server: TestServer) => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => server.call(LIMITS)))
    return answers.filter(({ status }) => status === 200).length
  }

  test('of 1,000 parallel requests a limit of 100 admits exactly 100, in memory', async () => {
    await using server = await startTestServer({ organizationRpm: 100 })
    expect(await statuses(server)).toBe(100)
  })

  test('and in Redis', async (context) => {
    await using redis = await startRedis()
    if (!redis) return context.skip()
    await using rateLimiter = createRedisLimiter(redis.url, { warn: () => {}, info: () => {} })
    await pause(200)
    await using server = await startTestServer({ organizationRpm: 100, overrides: { rateLimiter } })
    expect(await statuses(server)).toBe(100)
  })
})
