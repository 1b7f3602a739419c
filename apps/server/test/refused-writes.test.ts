import { newId, RunId } from '@troupe/contract'
import type { Advance, RunEngine } from '@troupe/durable-work'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWork } from '../src/server-process.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const fill = () => vi.spyOn(server.context.storage, 'full', 'get').mockReturnValue(true)

test('every writing route is 503 storage_unavailable while the disk is full, including forms, pages and webhooks', async () => {
  const { context, seed, adminToken } = server
  const cookie = await signIn(
    server,
    await seedPerson(context.database, { organizationId: seed.organizationId }),
  )
  const headers = {
    'x-api-key': seed.keys.organization,
    authorization: `Bearer ${adminToken}`,
    origin: ownOrigin(server),
    cookie,
  }
  const routes = server.routes.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
  expect(routes.length).toBeGreaterThan(25)
  fill()
  const answers = await Promise.all(
    routes.map(async ({ method, url }) => {
      const path = url.replace(':organizationId', seed.organizationId).replaceAll(/:\w+/g, 'x')
      const answer = await server.app.inject({ method: method as 'POST', url: path, headers })
      return [`${method} ${url}`, answer.statusCode, answer.headers['retry-after']]
    }),
  )
  expect(answers).toEqual(routes.map(({ method, url }) => [`${method} ${url}`, 503, '5']))
})

test('a user gets a page, a stranger still needs a key, and reads continue', async () => {
  fill()
  const page = await server.app.inject({ method: 'POST', url: '/sign-in' })
  expect(page.statusCode).toBe(503)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('The disk of the server is full.')
  expect(await server.call('POST /api/v1/agents', { key: null })).toMatchObject({ status: 401 })
  expect(await server.call('POST /api/v1/agents', { body: { name: 'A' } })).toMatchObject({
    status: 503,
    body: { error: 'storage_unavailable', message: 'The disk of the server is full. Nothing was stored.' },
  })
  expect(await server.call('GET /api/v1/agents')).toMatchObject({ status: 200 })
})

test('a delivery of a previously accepted run is refused, so that the engine redelivers it', async () => {
  const { context } = server
  let advance: Advance = () => Promise.reject(new Error('the engine was not started'))
  const engine: Pick<RunEngine, 'start'> = {
    async start(given) {
      advance = given
    },
  }
  const config = { ...context.config, roles: new Set(['worker'] as const) }
  await startWork({ ...context, config, engine: { ...context.engine, ...engine } })
  const stale = { lane: 'jobs', runId: newId(RunId), slice: 0 } as const
  const disk = fill()
  await expect(advance(stale)).rejects.toMatchObject({ code: 'storage_unavailable' })
  disk.mockReturnValue(false)
  await expect(advance(stale)).resolves.toBeUndefined()
})
