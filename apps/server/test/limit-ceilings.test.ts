import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, asOperator } from './builder/builder-caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { TROUPE_MAX_ORGANIZATION_RPM: '500', TROUPE_MAX_ORGANIZATION_RUNS: '20' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

test('an organization gets no more requests than the operator allows, for any stored limit', async () => {
  const { headers, status } = await server.call('GET /api/v1/agents')
  expect([status, headers['x-ratelimit-limit']]).toEqual([200, '500'])
})

test('a limit above the ceiling is refused, and the error names the field', async () => {
  for (const caller of [await asMember(server, 'owner', 'Olga'), asOperator(server)]) {
    for (const [limits, path] of [
      [{ rpm: 501 }, 'limits.rpm'],
      [{ concurrentRuns: 21 }, 'limits.concurrentRuns'],
    ] as const) {
      const refused = await caller.send('PUT ', { limits })
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toContain(path)
      expect(JSON.stringify(refused.body)).toMatch(
        /must be at most (?:500|20), the highest that the operator/,
      )
    }
  }
  const kept = await asOperator(server).send('PUT ', { limits: { rpm: 500, concurrentRuns: 20 } })
  expect(kept).toMatchObject({ status: 200, body: { limits: { rpm: 500, concurrentRuns: 20 } } })
})

test('a bundle sets none either', async () => {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/builder/bundles',
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/yaml' },
    payload: 'apiVersion: troupe/v1\norganizations: [{ slug: big, name: Big, limits: { rpm: 501 } }]',
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain('must be at most 500')
})
