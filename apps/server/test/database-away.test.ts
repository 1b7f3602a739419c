import { openDatabase } from '@troupe/storage'
import { serverBinaries, startCluster } from '@troupe/test-kit/postgres'
import { startTestServer } from '@troupe/test-kit/server'
import { describe, expect, test } from 'vitest'

const binaries = serverBinaries()
const CALLERS = 6
const BACK = { timeout: 20_000, interval: 50 }

describe.skipIf(!binaries)('a PostgreSQL server that stops under load', () => {
  test('is 503 with Retry-After until it is back, and every other response is correct', async () => {
    await using cluster = await startCluster(binaries ?? '')
    // The test cluster loses the last commits of a crash, which this test checks.
    const url = `${cluster.url}?options=${encodeURIComponent('-c synchronous_commit=on')}`
    const options = { kind: 'postgres', url, poolSize: 4, replicas: true } as const
    await using database = await openDatabase(options)
    await using server = await startTestServer({ overrides: { database } })
    const create = () => server.call('POST /api/v1/agents', { body: { name: 'A' } })
    const list = () => server.call('GET /api/v1/reviews')
    const run = () =>
      server.call(`POST /api/v1/agents/${server.seed.agents.organization}/run-async`, {
        body: { message: 'x' },
      })

    const answers = new Map<string, number>()
    const created: string[] = []
    let isOver = false
    const callers = [create, list, run].flatMap((call) =>
      Array.from({ length: CALLERS / 3 }, async () => {
        while (!isOver) {
          const { status, body, headers } = await call()
          const { error = 'fine', agentId } = body as { error?: string; agentId?: string }
          if (call === create && status === 201 && agentId) created.push(agentId)
          const key = `${status} ${error}${status === 503 ? ` after ${headers['retry-after']}` : ''}`
          answers.set(key, (answers.get(key) ?? 0) + 1)
          // A response without a statement does not yield to the event loop; the server's sockets need it.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }),
    )
    await expect.poll(() => created.length, BACK).toBeGreaterThan(5)
    await cluster.stop()
    await expect.poll(async () => (await create()).status, BACK).toBe(503)
    const refused = await create()
    expect(refused).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
    expect(refused.headers['retry-after']).toBe('5')
    expect(JSON.stringify(refused.body)).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i)
    expect(await server.call('GET /readyz')).toMatchObject({ status: 503 })
    expect(await server.call('GET /healthz')).toMatchObject({ status: 200 })
    const page = await server.app.inject({ url: '/forms/a-form-that-is-not-cached' })
    expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5'])
    expect(page.body).toContain('Please try again in a moment')

    await cluster.start()
    await expect.poll(async () => (await create()).status, BACK).toBe(201)
    await expect.poll(async () => (await server.call('GET /readyz')).status, BACK).toBe(200)
    isOver = true
    await Promise.all(callers)
    const known = ['200 fine', '201 fine', '202 fine', '503 service_unavailable after 5']
    expect([...answers.keys()].filter((key) => !known.includes(key))).toEqual([])
    for (const id of created) expect((await server.call(`GET /api/v1/agents/${id}`)).status).toBe(200)
  })
})
