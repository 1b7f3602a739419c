import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const LIMITS = 'GET /api/v1/organizations/limits'

test('a missing, malformed, unknown, expired or revoked key gets one and the same 401', async () => {
  const { keys } = server.seed
  const bodies = []
  for (const key of [null, '', ' ', 'x', 'trp_unknown-key', 'x'.repeat(500), keys.expired, keys.revoked]) {
    const answer = await server.call(LIMITS, { key })
    expect(answer.status).toBe(401)
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    bodies.push(answer.body)
  }
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toEqual({
    error: 'unauthorized',
    message: 'A valid API key is required in the X-API-Key header.',
  })
})

test('a key sent twice is refused', async () => {
  const { organization } = server.seed.keys
  const answer = await server.call(LIMITS, {
    key: null,
    headers: { 'x-api-key': `${organization}, ${organization}` },
  })
  expect(answer.status).toBe(401)
})

test('a bearer token is not an API key', async () => {
  const answer = await server.call(LIMITS, {
    key: null,
    headers: { authorization: `Bearer ${server.seed.keys.organization}` },
  })
  expect(answer.status).toBe(401)
})

test('401 precedes every other error', async () => {
  const statuses = []
  for (const [target, body] of [
    ['POST /api/v1/agents', '{"broken'],
    ['POST /api/v1/agents', 'x'.repeat(2_000_000)],
    ['GET /api/v1/agents?page=0', undefined],
    ['PATCH /api/v1/agents', undefined],
    ['GET /api/v1/nothing', undefined],
    ['GET /api', undefined],
    ['GET /api/v1/agents/%zz', undefined],
    [`GET /api/v1/agents/${'x'.repeat(9_000)}`, undefined],
  ] as const) {
    statuses.push(
      (await server.call(target, body === undefined ? { key: null } : { key: null, body })).status,
    )
  }
  expect(statuses).toEqual(statuses.map(() => 401))
})

test('wrong keys get 401 however many there are, cost few reads, and block no valid key of the same address', async () => {
  const { apiKeys } = server.context.database.read
  const one = vi.spyOn(apiKeys, 'byHash')
  const many = vi.spyOn(apiKeys, 'byHashes')
  const guesses = Array.from({ length: 1_000 }, (_, at) =>
    server.call(LIMITS, { key: `trp_wrong-key-number-${at}` }),
  )
  // Neither key was used before: both are read from the database, at the same address.
  const valid = server.call(LIMITS, { key: server.seed.keys.otherOrganization })
  const answers = await Promise.all(guesses)
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(401)
  expect((await valid).status).toBe(200)
  expect(one.mock.calls.length).toBeLessThanOrEqual(101)
  expect(many.mock.calls.length).toBeLessThanOrEqual(10)
  vi.restoreAllMocks()
})

test('revoking a key takes effect with the next request', async () => {
  const { keys, organizationId } = server.seed
  expect((await server.call(LIMITS, { key: keys.otherProject })).status).toBe(200)
  const { database } = server.context
  const record = (await database.read.apiKeys.list(organizationId)).find(
    ({ name }) => name === 'other project',
  )!
  await database.transaction(({ write }) => write.apiKeys.update({ ...record, revokedAt: new Date() }))
  expect((await server.call(LIMITS, { key: keys.otherProject })).status).toBe(401)
})

describe('the operator', () => {
  test.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['another scheme', { authorization: 'Basic ADMIN' }],
    ['an API key', { 'x-api-key': 'KEY' }],
  ])('%s gets 401', async (_name, headers) => {
    const filled = Object.fromEntries(
      Object.entries(headers as Record<string, string>).map(([name, value]) => [
        name,
        value.replace('ADMIN', server.adminToken).replace('KEY', server.seed.keys.organization),
      ]),
    )
    const answer = await server.call('GET /api/builder/nothing', { key: null, headers: filled })
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ error: 'unauthorized' })
  })

  test('30 wrong tokens in a minute from one address are 429 from then on, but the right one passes', async () => {
    const guess = (token: string) =>
      server.call('GET /api/builder/nothing', { key: null, headers: { authorization: `Bearer ${token}` } })
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(`wrong-${at}`)))
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(30)
    expect(refused[0]?.body).toMatchObject({ error: 'rate_limit_exceeded', retry_after: expect.any(Number) })
    expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/)
    expect((await guess(server.adminToken)).status).toBe(404)
    expect((await server.call('GET /api/builder/nothing', { key: null })).status).toBe(401)
  })

  test('the admin token passes, without rate limits', async () => {
    const answer = await server.call('GET /api/builder/nothing', {
      key: null,
      headers: { authorization: `Bearer ${server.adminToken}` },
    })
    expect(answer.status).toBe(404)
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
  })
})
