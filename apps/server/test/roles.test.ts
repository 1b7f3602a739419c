import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'

test('a process without the role api serves the operations surface only', async () => {
  await using server = await startTestServer({
    env: {
      TROUPE_ROLES: 'worker,scheduler',
      DATABASE_URL: 'postgres://db/troupe',
      REDIS_URL: 'redis://cache',
      RESTATE_INGRESS_URL: 'http://127.0.0.1:1',
    },
  })
  expect(
    server.routes
      .map(({ url }) => url)
      .filter((url) => url !== '*')
      .sort(),
  ).toEqual(expect.arrayContaining(['/healthz', '/metrics', '/readyz']))
  expect(await server.call('GET /healthz')).toMatchObject({ status: 200 })
  expect(await server.call('GET /metrics')).toMatchObject({ status: 200 })
  for (const path of ['/api/v1/agents', '/api/v1/openapi.json', '/docs']) {
    expect(await server.call(`GET ${path}`)).toMatchObject({ status: 404 })
  }
})
