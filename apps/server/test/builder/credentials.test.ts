import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

const SECRET = 'the-secret-of-the-crm-wxyz'

let server: TestServer
let admin: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  admin = await asMember(server, 'admin', 'Ada')
})
afterAll(() => server[Symbol.asyncDispose]())

async function created(given: object = {}) {
  const slug = `crm-${randomUUID().slice(0, 8)}`
  const body = { slug, name: 'CRM', kind: 'bearer', secret: SECRET, hosts: ['CRM.example'], ...given }
  const answer = await admin.send('POST /credentials', body)
  const credentialId = String(propertyOf(answer.body, 'credentialId'))
  return { answer, credentialId, path: `/credentials/${credentialId}` }
}

/** Whether this secret is stored. */
async function storedIs(credentialId: string, secret: string): Promise<boolean> {
  const { context, seed } = server
  const records = await context.database.read.credentials.list(seed.organizationId)
  const record = records.find(({ id }) => id === credentialId)
  const place = { purpose: 'credential.secret', id: credentialId } as const
  return record !== undefined && context.secretBox.open(record.sealedSecret, place) === secret
}

describe('a credential', () => {
  test('never shows its secret: not in responses, not in the audit log, not in errors', async () => {
    const { answer, path, credentialId } = await created()
    expect(answer).toMatchObject({
      status: 201,
      body: { hint: 'wxyz', hosts: ['crm.example'], kind: 'bearer', username: null, version: 1, usedBy: [] },
    })
    expect(await storedIs(credentialId, SECRET)).toBe(true)
    const changed = await admin.send(`PUT ${path}`, { secret: `${SECRET}-2`, version: 1 })
    expect(await storedIs(credentialId, `${SECRET}-2`)).toBe(true)
    const shown = [
      answer.body,
      changed.body,
      (await admin.send('GET /credentials?limit=100')).body,
      (await admin.send(`GET ${path}`)).body,
      (await admin.send('GET /audit?entityKind=credential')).body,
      (await admin.send(`PUT ${path}`, { secret: `${SECRET}\n`, version: 2 })).body,
    ]
    for (const body of shown) expect(JSON.stringify(body)).not.toContain('the-secret')
    expect(shown[4]).toMatchObject({ data: [{ after: { secretChanged: true } }, {}] })
  })

  test('keeps its secret when it is renamed, with the time when it was set', async () => {
    const { answer, path, credentialId } = await created()
    const renamed = await admin.send(`PUT ${path}`, { name: 'Renamed', version: 1 })
    expect(renamed.body).toMatchObject({ name: 'Renamed', version: 2 })
    expect(propertyOf(renamed.body, 'secretSetAt')).toBe(propertyOf(answer.body, 'secretSetAt'))
    expect(await storedIs(credentialId, SECRET)).toBe(true)
  })

  test('is not sent to a new host without its secret; hosts that it already covers are fine', async () => {
    const { path } = await created({ hosts: ['*.crm.example', 'old.example'] })
    const refused = await admin.send(`PUT ${path}`, { hosts: ['evil.example'], version: 1 })
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'secret', message: expect.stringContaining('entered again') }] },
    })
    const wider = await admin.send(`PUT ${path}`, { hosts: ['*.example'], version: 1 })
    expect(wider.status).toBe(400)
    const narrower = await admin.send(`PUT ${path}`, { hosts: ['eu.crm.example'], version: 1 })
    expect(narrower).toMatchObject({ status: 200, body: { hosts: ['eu.crm.example'] } })
    const given = { hosts: ['new.example'], secret: SECRET, version: 2 }
    expect((await admin.send(`PUT ${path}`, given)).status).toBe(200)
  })

  test('has the fields of its kind; a new kind drops those of the old one', async () => {
    const missing = await created({ kind: 'header' })
    expect(missing.answer).toMatchObject({ status: 400, body: { errors: [{ path: 'field' }] } })
    const { path } = await created({ kind: 'basic', username: 'troupe' })
    const changed = await admin.send(`PUT ${path}`, { kind: 'bearer', version: 1 })
    expect(changed.body).toMatchObject({ kind: 'bearer', username: null })
  })

  test('is changed from the version that was read; a stale change names the earlier author', async () => {
    const { path } = await created()
    await asOperator(server).send(`PUT ${path}`, { name: 'By the operator' })
    expect(await admin.send(`PUT ${path}`, { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      body: { error: 'version_conflict', current: { number: 2, changedBy: { kind: 'operator' } } },
    })
  })

  test('created twice with one id is one; a slug is taken once', async () => {
    const id = randomUUID()
    const first = await created({ id, slug: 'once' })
    const again = await created({ id, slug: 'once' })
    expect([first.answer.status, again.answer.status]).toEqual([201, 200])
    const other = await created({ slug: 'once' })
    expect(other.answer).toMatchObject({ status: 409, body: { error: 'slug_taken' } })
  })

  test('in use is not deleted, and the error names its uses', async () => {
    const { path, credentialId } = await created({ hosts: ['tickets.example'] })
    const made = await admin.send('POST /mcp-servers', {
      slug: `tickets-${randomUUID().slice(0, 8)}`,
      name: 'Tickets',
      url: 'https://tickets.example/mcp',
      credentialId,
    })
    expect(made).toMatchObject({ status: 201, body: { credential: { credentialId, name: 'CRM' } } })
    expect(await admin.send(`DELETE ${path}`)).toMatchObject({
      status: 409,
      body: { error: 'in_use', message: expect.stringContaining('Tickets') },
    })
    expect((await admin.send(`GET ${path}`)).body).toMatchObject({ usedBy: [{ kind: 'mcp_server' }] })
    const moved = await admin.send(`PUT ${path}`, { hosts: ['else.example'], secret: SECRET, version: 1 })
    expect(moved).toMatchObject({ status: 400, body: { errors: [{ path: 'hosts' }] } })
    expect((await admin.send(`DELETE /mcp-servers/${propertyOf(made.body, 'mcpServerId')}`)).status).toBe(204)
    expect((await admin.send(`DELETE ${path}`)).status).toBe(204)
    expect((await admin.send(`GET ${path}`)).body).toMatchObject({ error: 'credential_not_found' })
  })

  test('is found by its host, and changed by admins only', async () => {
    const { credentialId } = await created({ hosts: ['findable.example'] })
    const viewer = await asMember(server, 'viewer')
    const found = await viewer.send('GET /credentials?q=findable')
    expect(found.body).toMatchObject({ total: 1, data: [{ credentialId }] })
    const builder = await asMember(server, 'member')
    expect((await builder.send(`PUT /credentials/${credentialId}`, { name: 'x', version: 1 })).status).toBe(
      403,
    )
  })
})
