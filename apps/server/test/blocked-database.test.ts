import { openDatabase } from '@troupe/storage'
import { openDriver } from '@troupe/storage/testing'
import { serverBinaries, startCluster } from '@troupe/test-kit/postgres'
import { startTestServer } from '@troupe/test-kit/server'
import { describe, expect, test } from 'vitest'

const binaries = serverBinaries()

describe.skipIf(!binaries)('a lock held by another program on PostgreSQL', () => {
  test('makes blocked requests 503 with Retry-After in time, and others succeed', async () => {
    await using cluster = await startCluster(binaries ?? '')
    const options = { kind: 'postgres', url: cluster.url, poolSize: 4, replicas: true } as const
    await using database = await openDatabase({ ...options, statementMs: 300 })
    await using server = await startTestServer({ overrides: { database } })
    const create = () => server.call('POST /api/v1/agents', { body: { name: 'A' } })
    expect((await create()).status).toBe(201)

    await using other = await openDriver({ ...options, poolSize: 1 })
    await other.transaction(async (client) => {
      await client.execute('lock table agents in access exclusive mode', [])
      const refused = await Promise.all([create(), create(), create()])
      for (const { status, headers, body } of refused) {
        expect([status, headers['retry-after']]).toEqual([503, '5'])
        expect(body).toMatchObject({ error: 'service_unavailable' })
        expect(JSON.stringify(body)).not.toMatch(/statement|timeout|57014/i)
      }
      expect((await server.call('GET /api/v1/reviews')).status).toBe(200)
      expect((await server.call('GET /readyz')).status).toBe(200)
    })
    expect((await create()).status).toBe(201)
  })
})
