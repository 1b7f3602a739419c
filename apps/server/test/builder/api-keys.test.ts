import { randomBytes, randomUUID } from 'node:crypto'
import { TestClock } from '@troupe/agents/testing/test-clock'
import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'

const DAY_MS = 86_400_000

let server: TestServer
/** Another process on the same database. */
let other: TestServer
let admin: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  const encryptionKey = randomBytes(32)
  server = await startTestServer({ encryptionKey })
  other = await startTestServer({ encryptionKey, overrides: { database: server.context.database } })
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const field = (value: unknown, ...path: string[]) => path.reduce(propertyOf, value)

describe('API keys', () => {
  const works = async (secret: unknown, at = server) =>
    (await at.call('GET /api/v1/organizations/limits', { key: String(secret) })).status
  const create = async (body: object) => {
    const { status, body: answer } = await admin.send('POST /api-keys', body)
    return { status, secret: propertyOf(answer, 'secret'), id: field(answer, 'apiKey', 'apiKeyId'), answer }
  }
  const find = async (id: unknown) =>
    ((await admin.send('GET /api-keys?limit=100')).body as { data: { apiKeyId: string }[] }).data.find(
      ({ apiKeyId }) => apiKeyId === id,
    )

  test('the secret is shown once; later responses have a hint and the author', async () => {
    const given = { id: randomUUID(), name: 'Once', projectId: server.seed.projectId, rpm: 50 }
    const { status, secret, answer } = await create(given)
    expect(status).toBe(201)
    expect(await works(secret)).toBe(200)
    const again = await create(given)
    expect([again.status, again.secret]).toEqual([200, null])
    const listed = await admin.send('GET /api-keys?limit=100')
    expect(JSON.stringify(listed.body)).not.toContain(String(secret))
    expect(await find(given.id)).toMatchObject({
      hint: String(secret).slice(-4),
      projectName: 'Mine',
      rpm: 50,
      createdBy: { userId: admin.person.userId, name: 'Ada' },
    })
    expect(JSON.stringify(answer)).not.toContain('secretHash')
  })

  test('an expiry outside the years of the database is refused', async () => {
    for (const expiresAt of ['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00Z']) {
      const { status, answer } = await create({ name: 'Endless', expiresAt })
      expect([status, answer]).toMatchObject([400, { errors: [{ path: 'expiresAt' }] }])
    }
  })

  test('the last use is written with the next flush, and not before', async () => {
    const { id, secret } = await create({ name: 'Used' })
    await works(secret)
    await works(secret, other)
    expect(await find(id)).toMatchObject({ lastUsedAt: null })
    for (const { context } of [server, other]) {
      await context.apiKeys.flushUses((uses) => context.database.apiKeyUses.flush(uses))
    }
    const { lastUsedAt } = (await find(id)) as unknown as { lastUsedAt: string }
    expect(Math.abs(Date.parse(lastUsedAt) - server.context.clock.now())).toBeLessThan(60_000)
  })

  test('a revoked key is 401 at the next request, in every process; revoking again changes nothing', async () => {
    const { id, secret } = await create({ name: 'Revoked' })
    expect([await works(secret), await works(secret, other)]).toEqual([200, 200])
    const revoked = await admin.send(`POST /api-keys/${id}/revoke`)
    expect([await works(secret), await works(secret, other)]).toEqual([401, 401])
    expect((await admin.send(`POST /api-keys/${id}/revoke`)).body).toEqual(revoked.body)
    expect((await admin.send(`PUT /api-keys/${id}`, { name: 'Back' })).status).toBe(409)
    expect((await admin.send(`POST /api-keys/${id}/rotate`, {})).body).toMatchObject({
      error: 'invalid_state',
    })
  })

  test('rotation creates a key of the same name; both work until the old one expires', async () => {
    const { id, secret } = await create({ name: 'Rotated', rpm: 70 })
    const rotated = await admin.send(`POST /api-keys/${id}/rotate`, { overlapHours: 1 })
    expect(rotated).toMatchObject({
      status: 201,
      body: { apiKey: { name: 'Rotated', rpm: 70, replacesId: id } },
    })
    expect([await works(secret, other), await works(propertyOf(rotated.body, 'secret'), other)]).toEqual([
      200, 200,
    ])
    const end = Date.parse(String(propertyOf(rotated.body, 'previousExpiresAt')))
    expect(Math.abs(end - server.context.clock.now() - 3_600_000)).toBeLessThan(60_000)
    const newer = field(rotated.body, 'apiKey', 'apiKeyId')
    await admin.send(`POST /api-keys/${newer}/rotate`, { overlapHours: 0 })
    expect(await works(propertyOf(rotated.body, 'secret'), other)).toBe(401)
  })

  test('a rotated key has the lifetime of the old one, from the rotation on', async () => {
    const clock = new TestClock()
    clock.advance(87 * DAY_MS)
    const overrides = { database: server.context.database, clock }
    await using later = await startTestServer({ overrides })
    const rotated = async (expiresAt: string | null) => {
      const { id } = await create({ name: `Ends ${expiresAt ?? 'never'}`, expiresAt })
      const path = `/api/builder/v1/organizations/${server.seed.organizationId}/api-keys/${id}/rotate`
      const headers = { authorization: `Bearer ${later.adminToken}` }
      const { body } = await later.call(`POST ${path}`, { key: null, headers, body: { overlapHours: 0 } })
      return field(body, 'apiKey', 'expiresAt')
    }
    const end = Date.parse(String(await rotated(new Date(Date.now() + 90 * DAY_MS).toISOString())))
    expect(Math.abs(end - clock.now() - 90 * DAY_MS)).toBeLessThan(60_000)
    expect(await rotated(null)).toBeNull()
  })

  test('an expiry at the end of all years is also the expiry of the next key', async () => {
    const { id } = await create({ name: 'Endless', expiresAt: '9999-12-31T00:00:00Z' })
    expect(await admin.send(`POST /api-keys/${id}/rotate`, {})).toMatchObject({
      status: 201,
      body: { apiKey: { expiresAt: expect.stringMatching(/^9999-12-31T/) } },
    })
  })

  test('a rotation may set the expiry of the next key', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const { id } = await create({ name: 'Limited' })
    await admin.send(`PUT /api-keys/${id}`, { expiresAt: inDays(7) })
    for (const expiresAt of ['2020-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']) {
      expect(await admin.send(`POST /api-keys/${id}/rotate`, { expiresAt })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'expiresAt' }] },
      })
    }
    const chosen = inDays(30)
    const { body } = await admin.send(`POST /api-keys/${id}/rotate`, { expiresAt: chosen })
    expect(field(body, 'apiKey', 'expiresAt')).toBe(chosen)
    const next = field(body, 'apiKey', 'apiKeyId')
    const last = await admin.send(`POST /api-keys/${next}/rotate`, { expiresAt: null })
    expect(field(last.body, 'apiKey', 'expiresAt')).toBeNull()
  })

  test('a key that was rotated is not rotated again: its second successor would end with the overlap', async () => {
    const { id } = await create({ name: 'Lost answer' })
    const target = `POST /api-keys/${id}/rotate`
    const first = await admin.send(target, { overlapHours: 24 })
    expect(await admin.send(target, { overlapHours: 24 })).toMatchObject({
      status: 409,
      body: {
        error: 'invalid_state',
        message: 'This key was replaced by “Lost answer”. Rotate that one.',
      },
    })
    await admin.send(`POST /api-keys/${field(first.body, 'apiKey', 'apiKeyId')}/revoke`)
    expect((await admin.send(target, { overlapHours: 0 })).status).toBe(201)
  })

  test('names shared by expired keys are exported, and the export can be applied', async () => {
    const { id } = await create({ name: 'Again' })
    await admin.send(`POST /api-keys/${id}/revoke`)
    await create({ name: 'Again' })
    const { id: rotated } = await create({ name: 'Often' })
    const next = await admin.send(`POST /api-keys/${rotated}/rotate`, { overlapHours: 24 })
    await admin.send(`POST /api-keys/${field(next.body, 'apiKey', 'apiKeyId')}/rotate`, { overlapHours: 24 })
    const exported = await admin.send('GET /bundle')
    const text = String(exported.body)
    expect(text.match(/name: Again/g)).toHaveLength(2)
    const plan = await admin.send('POST /bundle/plan', { text })
    expect(propertyOf(plan.body, 'errors')).toEqual([])
  })

  test('an expired key is not restored under a name that another one has', async () => {
    const { id } = await create({ name: 'Back' })
    await server.context.database.transaction(async ({ read, write }) => {
      const [key] = (await read.apiKeys.list(server.seed.organizationId)).filter((one) => one.id === id)
      if (key) await write.apiKeys.update({ ...key, expiresAt: new Date(0) })
    })
    await create({ name: 'Back' })
    expect(await admin.send(`PUT /api-keys/${id}`, { expiresAt: null })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'name' }] },
    })
  })

  test('a name in use and an expiry in the past are refused together', async () => {
    await create({ name: 'Twice' })
    const answer = await admin.send('POST /api-keys', { name: 'Twice', expiresAt: '2020-01-01T00:00:00Z' })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }, { path: 'expiresAt' }] } })
    const foreign = await admin.send('POST /api-keys', {
      name: 'Foreign',
      projectId: server.seed.otherOrganizationProjectId,
    })
    expect([foreign.status, propertyOf(foreign.body, 'error')]).toEqual([422, 'project_not_found'])
  })
})
