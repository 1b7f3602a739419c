import { Lifecycle } from '@troupe/telemetry/lifecycle'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildAdminServer, buildServer } from '../../build-server.ts'
import { ReadinessCheck } from './readiness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('/healthz and /readyz answer without a key', async () => {
  expect(await server.call('GET /healthz', { key: null })).toMatchObject({
    status: 200,
    body: { status: 'ok' },
  })
  expect(await server.call('GET /readyz', { key: null })).toMatchObject({
    status: 200,
    body: { status: 'ready' },
  })
})

test('/readyz names the database when it does not answer', async () => {
  vi.spyOn(server.context.database, 'ping').mockRejectedValueOnce(new Error('host db.internal is away'))
  expect(await server.call('GET /readyz', { key: null })).toMatchObject({
    status: 503,
    body: { status: 'unavailable', missing: ['database'] },
  })
})

test('/readyz names the engine and what is wrong with it', async () => {
  const reason = 'Restate does not answer at http://127.0.0.1:8080.'
  vi.spyOn(server.context.engine, 'health').mockResolvedValueOnce({ healthy: false, reason })
  expect(await server.call('GET /readyz', { key: null })).toMatchObject({
    status: 503,
    body: { status: 'unavailable', missing: [`engine: ${reason}`] },
  })
})

describe('readiness', () => {
  const engine = { health: async () => ({ healthy: true }) as const }
  const checkOf = (lifecycle: Lifecycle, ping: () => Promise<void>) =>
    new ReadinessCheck({ lifecycle, storage: { look: async () => false }, database: { ping }, engine })

  test('is missing while booting and while stopping', async () => {
    const lifecycle = new Lifecycle()
    const check = checkOf(lifecycle, async () => {})
    expect(await check.check()).toEqual({ ready: false, missing: ['boot is not complete'] })
    lifecycle.ready()
    expect(await check.check()).toEqual({ ready: true })
    lifecycle.beginDrain()
    lifecycle.ready()
    expect(await check.check()).toEqual({ ready: false, missing: ['the process is stopping'] })
  })

  test('asks the database once for many callers', async () => {
    let asked = 0
    const lifecycle = new Lifecycle()
    lifecycle.ready()
    const check = checkOf(lifecycle, async () => {
      asked += 1
    })
    await Promise.all(Array.from({ length: 20 }, () => check.check()))
    expect(asked).toBe(1)
  })

  test('does not wait for a silent database for ever', async () => {
    vi.useFakeTimers()
    const lifecycle = new Lifecycle()
    lifecycle.ready()
    const outcome = checkOf(lifecycle, () => new Promise(() => {})).check()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await outcome).toEqual({ ready: false, missing: ['database'] })
    vi.useRealTimers()
  })
})

test('/metrics counts requests by route and status, never by id', async () => {
  await server.call(`GET /api/v1/agents/${server.seed.agents.organization}`)
  await server.call('GET /api/v1/some-unknown-path')
  const { status, headers, body } = await server.call('GET /metrics', { key: null })
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toMatch(
    /troupe_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/agents\/:agentId",status="200"\} 1/,
  )
  expect(body).toMatch(/route="unknown",status="404"\} 1/)
  expect(body).not.toContain(server.seed.agents.organization)
  expect(body).not.toContain('some-unknown-path')
  expect(body).toMatch(/^troupe_database_size_bytes \d+$/m)
})

test('an admin port takes the surface away from the public one', async () => {
  const context = { ...server.context, config: { ...server.context.config, adminPort: 9_999 } }
  const [app, admin] = [buildServer(context), buildAdminServer(context)]
  const status = async (target: typeof app, url: string) => (await target.inject({ url })).statusCode
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    expect([url, await status(app, url)]).toEqual([url, 404])
    expect([url, await status(admin, url)]).toEqual([url, 200])
  }
  expect(await status(admin, '/docs')).toBe(404)
  await Promise.all([app.close(), admin.close()])
})
