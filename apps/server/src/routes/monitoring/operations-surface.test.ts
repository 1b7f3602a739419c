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

test('/readyz names the database if it does not respond', async () => {
  vi.spyOn(server.context.database, 'ping').mockRejectedValueOnce(new Error('host db.internal is away'))
  expect(await server.call('GET /readyz', { key: null })).toMatchObject({
    status: 503,
    body: { status: 'unavailable', missing: ['database'] },
  })
})

test('/readyz names the engine and its problem', async () => {
  const reason = 'Restate does not answer at http://127.0.0.1:8080.'
  vi.spyOn(server.context.engine, 'health').mockResolvedValueOnce({ healthy: false, reason })
  expect(await server.call('GET /readyz', { key: null })).toMatchObject({
    status: 503,
    body: { status: 'unavailable', missing: [`engine: ${reason}`] },
  })
})

test('/readyz gives strangers the name of a part, and operators its problem too', async () => {
  const reason = 'Restate does not answer at http://10.0.0.7:8080.'
  await using exposed = await startTestServer({ env: { TROUPE_PUBLIC_URL: 'https://troupe.test' } })
  vi.spyOn(exposed.context.engine, 'health').mockResolvedValue({ healthy: false, reason })
  const missing = async (headers: Record<string, string> = {}) =>
    (await exposed.call('GET /readyz', { key: null, headers })).body
  expect(await missing()).toEqual({ status: 'unavailable', missing: ['engine'] })
  expect(await missing({ authorization: `Bearer ${exposed.adminToken}` })).toEqual({
    status: 'unavailable',
    missing: [`engine: ${reason}`],
  })
})

describe('readiness', () => {
  const engine = { health: async () => ({ healthy: true }) as const }
  const checkOf = (lifecycle: Lifecycle, ping: () => Promise<void>) =>
    new ReadinessCheck({ lifecycle, storage: { look: async () => false }, database: { ping }, engine })

  test('is missing while booting and while stopping', async () => {
    const lifecycle = new Lifecycle()
    const check = checkOf(lifecycle, async () => {})
    expect(await check.check()).toEqual({
      ready: false,
      missing: [{ name: 'boot is not complete', detail: null }],
    })
    lifecycle.ready()
    expect(await check.check()).toEqual({ ready: true })
    lifecycle.beginDrain()
    lifecycle.ready()
    expect(await check.check()).toEqual({
      ready: false,
      missing: [{ name: 'the process is stopping', detail: null }],
    })
  })

  test('checks the database once for many callers', async () => {
    let asked = 0
    const lifecycle = new Lifecycle()
    lifecycle.ready()
    const check = checkOf(lifecycle, async () => {
      asked += 1
    })
    await Promise.all(Array.from({ length: 20 }, () => check.check()))
    expect(asked).toBe(1)
  })

  test('does not wait for a silent database forever', async () => {
    vi.useFakeTimers()
    const lifecycle = new Lifecycle()
    lifecycle.ready()
    const outcome = checkOf(lifecycle, () => new Promise(() => {})).check()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await outcome).toEqual({ ready: false, missing: [{ name: 'database', detail: null }] })
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

test('/metrics has the load of heavy work by kind', async () => {
  const { body } = await server.call('GET /metrics', { key: null })
  for (const name of ['running', 'waiting', 'memory_bytes', 'refused_total']) {
    expect(body).toMatch(new RegExp(`^troupe_heavy_work_${name}\\{kind="openapi"\\} 0$`, 'm'))
  }
  expect(body).toMatch(/^troupe_heavy_work_running\{kind="download"\} 0$/m)
})

test('caller-chosen methods and paths create no separate series', async () => {
  const series = async () => {
    const text = await server.context.metrics.registry.metrics()
    return text.split('\n').filter((line) => line.startsWith('troupe_http_request_duration_seconds_count'))
      .length
  }
  const unknown = (n: number) => [
    `/api/v1/nope-${n}`,
    `/nope-${n}`,
    `/api/v1/agents/${n}/nope`,
    `/o-${n}`,
    `/web-${n}/x`,
  ]
  const ask = async (n: number) => {
    for (const method of ['GET', 'POST', 'PURGE', 'QUERY', 'TRACE', 'PROPFIND'] as const) {
      for (const url of [...unknown(n), '/healthz', '/api/v1/agents', '/forms/x', '/api/v1/openapi.json']) {
        await server.app.inject({ method: method as 'GET', url })
      }
    }
  }
  await ask(0)
  const first = await series()
  for (let n = 1; n < 4; n += 1) await ask(n)
  expect(await series()).toBe(first)
  const text = await server.context.metrics.registry.metrics()
  expect(text).not.toContain('nope-')
  expect(text).toMatch(/method="OTHER",route="unknown",status="405"/)
  expect(text).not.toMatch(/route="\/api\/v1\/agents",status="405"/)
})

describe('/metrics if others reach the server', () => {
  const TOKEN = 'f3b09ad87c1e4625b9d08f1a2c3e4d57'
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const read = async (at: TestServer, headers: Record<string, string> = {}) =>
    (await at.call('GET /metrics', { key: null, headers })).status

  test.each([
    { HOST: '0.0.0.0' },
    { TROUPE_PUBLIC_URL: 'https://troupe.test' },
    { TROUPE_METRICS_TOKEN: TOKEN },
    { HOST: '0.0.0.0', TROUPE_METRICS_TOKEN: TOKEN },
  ])('need a token, with %j', async (env) => {
    await using exposed = await startTestServer({ env })
    expect(await read(exposed)).toBe(401)
    expect(await read(exposed, bearer('a-guess'))).toBe(401)
    expect(await read(exposed, { 'x-api-key': exposed.seed.keys.organization })).toBe(401)
    expect(await read(exposed, bearer(exposed.adminToken))).toBe(200)
    expect(await read(exposed, bearer(TOKEN))).toBe('TROUPE_METRICS_TOKEN' in env ? 200 : 401)
    expect((await exposed.call('GET /healthz', { key: null })).status).toBe(200)
  })

  test('a detected proxy closes them, unless the operator has declared the server local', async () => {
    const behindProxy = { 'x-forwarded-for': '203.0.113.7' }
    await using inferred = await startTestServer()
    expect([await read(inferred), await read(inferred, behindProxy), await read(inferred)]).toEqual([
      200, 401, 401,
    ])
    await using stated = await startTestServer({ env: { TROUPE_EXPOSURE: 'local' } })
    expect([await read(stated, behindProxy), await read(stated)]).toEqual([200, 200])
  })
})

test('with an admin port the public port has no operations surface', async () => {
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
