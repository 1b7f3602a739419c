import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { propertyOf } from '@troupe/contract'
import { signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
/** Another process on the same database. */
let other: TestServer
let owner: Awaited<ReturnType<typeof asMember>>
let admin: Awaited<ReturnType<typeof asMember>>
let operator: BuilderClient
beforeAll(async () => {
  const encryptionKey = randomBytes(32)
  server = await startTestServer({ encryptionKey })
  other = await startTestServer({ encryptionKey, overrides: { database: server.context.database } })
  owner = await asMember(server, 'owner', 'Olga')
  admin = await asMember(server, 'admin', 'Ada')
  operator = asOperator(server)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const field = (value: unknown, ...path: string[]) => path.reduce(propertyOf, value)

describe('the organization', () => {
  test('is changed from the version that was read; a stale change names the earlier author', async () => {
    const read = await admin.send('GET ')
    const version = propertyOf(read.body, 'version')
    const changed = await admin.send('PUT ', { limits: { rpm: 90_000 }, version })
    expect(changed.body).toMatchObject({ limits: { rpm: 90_000, runDays: 90 }, version: Number(version) + 1 })
    const stale = await owner.send('PUT ', { name: 'Other', version })
    expect(stale).toMatchObject({
      status: 409,
      body: {
        error: 'version_conflict',
        current: {
          number: Number(version) + 1,
          changedBy: { kind: 'user', id: admin.person.userId, name: 'Ada' },
        },
      },
    })
    expect((await admin.send('PUT ', { name: 'Other' })).status).toBe(400)
    expect((await operator.send('PUT ', { name: 'Acme' })).body).toMatchObject({ name: 'Acme' })
  })

  test('gets another slug from owners only, and none that is taken', async () => {
    const { context, seed } = server
    const theirs = await context.database.read.organizations.byId(seed.otherOrganizationId)
    const version = propertyOf((await owner.send('GET ')).body, 'version')
    expect((await admin.send('PUT ', { slug: 'acme', version })).status).toBe(403)
    const taken = await owner.send('PUT ', { slug: theirs?.slug, version })
    expect([taken.status, propertyOf(taken.body, 'error')]).toEqual([409, 'slug_taken'])
    expect((await owner.send('PUT ', { slug: 'acme', version })).body).toMatchObject({ slug: 'acme' })
  })

  test('new limits apply from the next request, in every process', async () => {
    const { organization: key } = server.seed.keys
    const before = await other.call('GET /api/v1/organizations/limits', { key })
    await operator.send('PUT ', { limits: { rpm: 77_777 } })
    expect(before.status).toBe(200)
    for (const one of [server, other]) {
      const limits = await one.call('GET /api/v1/organizations/limits', { key })
      expect(field(limits.body, 'rate_limits', 'org_rpm')).toBe(77_777)
    }
  })

  const create = (sent: object) =>
    server.call('POST /api/builder/v1/organizations', {
      key: null,
      headers: { authorization: `Bearer ${server.adminToken}` },
      body: sent,
    })

  test('is created by the operator with an owner who can sign in, once for one id', async () => {
    const body = {
      id: randomUUID(),
      slug: `new-${randomUUID().slice(0, 8)}`,
      name: 'New',
      owner: { email: 'first@new.test', name: 'Fern', password: 'a fine password' },
    }
    const created = await create(body)
    expect(created).toMatchObject({
      status: 201,
      body: { organizationId: body.id, slug: body.slug, version: 1 },
    })
    expect((await create(body)).status).toBe(200)
    expect(await create({ ...body, slug: 'another' })).toMatchObject({
      status: 200,
      body: { slug: body.slug },
    })
    const twice = { ...body, id: randomUUID(), slug: `${body.slug}-at-once` }
    const together = await Promise.all([create(twice), create(twice)])
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 201])
    expect((await create({ slug: body.slug, name: 'New' })).body).toMatchObject({ error: 'slug_taken' })
    await expect(signIn(server, body.owner)).resolves.toContain('troupe_session=')
    const without = await create({
      slug: `${body.slug}-2`,
      name: 'X',
      owner: { email: 'no@new.test', name: 'N' },
    })
    expect(without).toMatchObject({ status: 400, body: { errors: [{ path: 'owner.password' }] } })
  })

  test('is created with an owner whose account another request creates concurrently', async () => {
    const owner = { email: 'both@new.test', name: 'Bo', password: 'a fine password' }
    const slug = `both-${randomUUID().slice(0, 8)}`
    expect((await create({ slug, name: 'First', owner })).status).toBe(201)
    const { database } = server.context
    const { transaction } = database
    const unseen = [owner.email]
    // The account is committed after the second request has looked for it.
    database.transaction = (work) =>
      transaction((tx) => {
        const byEmail: typeof tx.read.users.byEmail = async (email) =>
          unseen.pop() === email ? null : tx.read.users.byEmail(email)
        return work({ ...tx, read: { ...tx.read, users: { ...tx.read.users, byEmail } } })
      })
    try {
      expect(await create({ slug: `${slug}-2`, name: 'Second', owner })).toMatchObject({
        status: 201,
        body: { slug: `${slug}-2` },
      })
      expect(unseen).toEqual([])
    } finally {
      database.transaction = transaction
    }
  })
})

describe('projects', () => {
  test('are created once for one id, listed with their contents, renamed, and deleted when empty', async () => {
    const id = randomUUID()
    const body = { id, slug: 'shop', name: 'Shop' }
    expect(await admin.send('POST /projects', body)).toMatchObject({ status: 201, body: { version: 1 } })
    expect(await admin.send('POST /projects', body)).toMatchObject({ status: 200, body: { projectId: id } })
    const taken = await admin.send('POST /projects', { slug: 'shop', name: 'Again' })
    expect([taken.status, propertyOf(taken.body, 'error')]).toEqual([409, 'slug_taken'])
    const foreign = await admin.send('POST /projects', {
      ...body,
      id: server.seed.otherOrganizationProjectId,
    })
    expect(foreign.status).toBe(409)
    const listed = await owner.send('GET /projects?q=SHO&sort=name')
    expect(listed.body).toMatchObject({ total: 1, data: [{ slug: 'shop', contents: { agents: 0 } }] })
    const renamed = await admin.send(`PUT /projects/${id}`, { name: 'Store', version: 1 })
    expect(renamed.body).toMatchObject({ name: 'Store', slug: 'shop', version: 2 })
    expect((await owner.send(`PUT /projects/${id}`, { name: 'Stall', version: 1 })).body).toMatchObject({
      error: 'version_conflict',
      current: { number: 2, changedBy: { name: 'Ada' } },
    })
    expect((await admin.send(`DELETE /projects/${id}`)).status).toBe(204)
    expect((await admin.send(`DELETE /projects/${id}`)).body).toMatchObject({ error: 'project_not_found' })
  })

  test('in use are not deleted, and the error names their contents', async () => {
    const answer = await admin.send(`DELETE /projects/${server.seed.projectId}`)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ error: 'project_in_use' })
    expect(propertyOf(answer.body, 'message')).toMatch(/1 agent, \d API keys?, 1 LLM configuration/)
  })

  test('the contents of a project include everything that the database would delete with it', async () => {
    const { body } = await owner.send('GET /projects')
    const [{ contents } = { contents: {} }] = (body as { data: { contents: object }[] }).data
    const migrations = new URL('../../../../packages/storage/migrations/', import.meta.url)
    const sql = readdirSync(migrations)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
      .join('\n')
    const owned = [
      ...sql.matchAll(/ALTER TABLE "(\w+)" [^;]*REFERENCES "public"."projects"[^;]*ON DELETE cascade/g),
    ].map(([, table = '']) => table.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
    expect(owned.length).toBeGreaterThan(5)
    expect(Object.keys(contents)).toEqual(expect.arrayContaining(owned))
  })

  test('with a phone trunk are kept, and so are the trunk and its numbers', async () => {
    const made = await admin.send('POST /projects', { slug: 'calls', name: 'Calls' })
    const projectId = propertyOf(made.body, 'projectId')
    const trunk = { slug: 'line', name: 'Line', direction: 'outbound', address: 'sip.example.com', projectId }
    const created = await admin.send('POST /phone-trunks', trunk)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect((await admin.send(`DELETE /projects/${projectId}`)).body).toMatchObject({
      error: 'project_in_use',
      message: 'The project still has 1 phone trunk.',
    })
    const kept = await admin.send('GET /phone-trunks')
    expect(JSON.stringify(kept.body)).toContain(propertyOf(created.body, 'trunkId'))
  })

  test('a page beyond the end is empty and has the total', async () => {
    const answer = await owner.send('GET /projects?page=9&limit=1')
    expect(answer.body).toMatchObject({ data: [], page: 9, limit: 1 })
    expect(propertyOf(answer.body, 'total')).toBeGreaterThan(1)
  })
})

describe('members', () => {
  test('show their addresses only to managers', async () => {
    const viewer = await asMember(server, 'viewer')
    const seen = (await viewer.send('GET /members')).body as { members: { email: string | null }[] }
    expect(new Set(seen.members.map(({ email }) => email))).toEqual(new Set([null]))
    expect(JSON.stringify((await admin.send('GET /members')).body)).toContain(viewer.person.email)
  })

  test('a change of a role applies from the next request, and so does a suspension', async () => {
    const viewer = await asMember(server, 'viewer')
    expect((await viewer.send('GET /audit')).status).toBe(403)
    const path = `/members/${viewer.person.userId}`
    expect((await admin.send(`PUT ${path}`, { role: 'admin' })).body).toMatchObject({ role: 'admin' })
    expect((await viewer.send('GET /audit')).status).toBe(200)
    await admin.send(`PUT ${path}`, { status: 'suspended' })
    expect((await viewer.send('GET /audit')).status).toBe(404)
    expect((await admin.send(`DELETE ${path}`)).status).toBe(204)
  })

  test('only owners appoint owners, and the last one stays', async () => {
    const path = `/members/${admin.person.userId}`
    expect((await admin.send(`PUT ${path}`, { role: 'owner' })).status).toBe(403)
    const last = await owner.send(`PUT /members/${owner.person.userId}`, { role: 'admin' })
    expect([last.status, propertyOf(last.body, 'error')]).toEqual([409, 'last_owner'])
  })

  test.each(['viewer', 'reviewer'])('a %s is invited by a link, and joins with that role', async (role) => {
    const email = `${randomUUID()}@acme.test`
    const invited = await admin.send('POST /invitations', { email, role })
    expect(invited).toMatchObject({ status: 201, body: { invitation: { email, role, mailed: false } } })
    const link = new URL(String(propertyOf(invited.body, 'link')))
    const page = await server.call(`GET ${link.pathname}`, { key: null })
    expect(page.body).toContain(`as a ${role}`)
    const { origin } = new URL(server.context.config.publicUrl)
    const joined = await server.call(`POST ${link.pathname}`, {
      key: null,
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ name: 'Rita', password: 'a fine password' }).toString(),
    })
    expect(joined.status).toBe(303)
    const listed = (await admin.send('GET /members')).body as { members: object[]; invitations: object[] }
    expect(listed.members).toContainEqual(expect.objectContaining({ email, role, name: 'Rita' }))
    expect(listed.invitations).not.toContainEqual(expect.objectContaining({ email }))
  })

  test('the invitation of an owner can be replaced and withdrawn by owners only', async () => {
    const email = 'second-owner@acme.test'
    const invited = await owner.send('POST /invitations', { email, role: 'owner' })
    expect(await admin.send('POST /invitations', { email, role: 'member' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    const link = new URL(String(propertyOf(invited.body, 'link')))
    expect((await server.call(`GET ${link.pathname}`, { key: null })).body).toContain('as an owner')
    expect((await owner.send('POST /invitations', { email, role: 'member' })).status).toBe(201)
  })

  test('an invitation is withdrawn once', async () => {
    const invited = await admin.send('POST /invitations', { email: 'gone@acme.test', role: 'member' })
    const path = `/invitations/${field(invited.body, 'invitation', 'invitationId')}`
    expect((await admin.send(`DELETE ${path}`)).status).toBe(204)
    expect((await admin.send(`DELETE ${path}`)).body).toMatchObject({ error: 'invitation_not_found' })
  })
})

describe('budgets', () => {
  test('are set, changed, listed with the name of their project, and deleted', async () => {
    const body = { metric: 'llm_tokens', limit: 1_000, projectId: server.seed.projectId }
    const set = await admin.send('PUT /budgets', body)
    expect(set).toMatchObject({ status: 200, body: { limit: 1_000, used: 0, projectName: 'Mine' } })
    const id = propertyOf(set.body, 'budgetId')
    expect((await admin.send('PUT /budgets', { ...body, limit: 2_000 })).body).toMatchObject({ budgetId: id })
    expect((await owner.send('GET /budgets')).body).toMatchObject({ data: [{ budgetId: id, limit: 2_000 }] })
    expect((await admin.send(`DELETE /budgets/${id}`)).status).toBe(204)
    expect((await admin.send(`DELETE /budgets/${id}`)).body).toMatchObject({ error: 'budget_not_found' })
  })
})

describe('the audit log', () => {
  test('is filtered by project', async () => {
    const { projectId: other } = server.seed
    const id = randomUUID()
    await admin.send('POST /projects', { id, slug: 'narrowed', name: 'Narrowed' })
    const body = { name: 'A key of a project', projectId: id }
    expect((await admin.send('POST /api-keys', body)).status).toBe(201)
    const listed = async (projectId: string) =>
      (await owner.send(`GET /audit?projectId=${projectId}&limit=100`)).body as {
        data: { action: string; projectId: string | null }[]
      }
    const { data } = await listed(id.toUpperCase())
    expect(data.map(({ action }) => action)).toContain('api_key.created')
    expect(new Set(data.map((change) => change.projectId))).toEqual(new Set([id]))
    expect((await listed(other)).data.every((change) => change.projectId === other)).toBe(true)
    expect((await owner.send('GET /audit?projectId=nonsense')).status).toBe(400)
  })

  test('has the actor and the resource, newest first, page by page without gaps', async () => {
    const id = randomUUID()
    await admin.send('POST /projects', { id, slug: 'audited', name: 'Audited' })
    for (const version of [1, 2, 3]) {
      await admin.send(`PUT /projects/${id}`, { name: `Audited ${version}`, version })
    }
    await operator.send(`DELETE /projects/${id}`)
    const filter = `entityKind=project&entityId=${id}`
    const whole = (await owner.send(`GET /audit?${filter}`)).body as { data: { id: string }[]; next: null }
    expect(whole).toMatchObject({
      data: [
        { action: 'project.deleted', actor: { kind: 'operator', name: null }, after: null },
        { action: 'project.updated', after: { name: 'Audited 3' } },
        { action: 'project.updated', before: { name: 'Audited 1' } },
        { action: 'project.updated' },
        {
          action: 'project.created',
          actor: { kind: 'user', id: admin.person.userId, name: 'Ada', ip: '127.0.0.1' },
          entity: { kind: 'project', id, name: 'Audited' },
        },
      ],
      next: null,
    })
    const seen: string[] = []
    for (let after = ''; ; ) {
      const answer = await owner.send(`GET /audit?${filter}&limit=2${after}`)
      const page = answer.body as { data: { id: string }[]; next: string | null }
      seen.push(...page.data.map((one) => one.id))
      if (page.next === null) break
      after = `&after=${page.next}`
    }
    expect(seen).toEqual(whole.data.map((one) => one.id))
  })

  test('a page of large entries ends early, and the next page continues behind it', async () => {
    const actor = { kind: 'operator', id: 'sender-of-large-entries', ip: null, requestId: null } as const
    const after = { text: 'ä'.repeat(60_000) }
    await server.context.database.transaction(({ write }) =>
      Promise.all(
        Array.from({ length: 7 }, () =>
          write.audit.append({
            ...{ organizationId: server.seed.organizationId, projectId: null, before: null, after },
            ...{ actor, action: 'upload.deleted', entityKind: 'upload', entityId: randomUUID() },
          }),
        ),
      ),
    )
    const sizes: number[] = []
    const seen = new Set<string>()
    for (let place = ''; ; ) {
      const answer = await owner.send(`GET /audit?actorId=${actor.id}&limit=100${place}`)
      const page = answer.body as { data: { id: string; after: unknown }[]; next: string | null }
      sizes.push(page.data.length)
      for (const one of page.data) {
        expect(one.after).toEqual(after)
        seen.add(one.id)
      }
      if (page.next === null) break
      place = `&after=${page.next}`
    }
    expect(sizes).toEqual([3, 3, 1])
    expect(seen.size).toBe(7)
  })

  test('returns one change by its id, even if many are newer', async () => {
    const listed = (await owner.send('GET /audit?limit=100')).body as { data: { id: string }[] }
    const oldest = listed.data.at(-1)
    expect((await owner.send(`GET /audit/${oldest?.id}`)).body).toEqual(oldest)
    for (const id of ['999999999999999', '9999999999999999999999', '-1', 'nonsense']) {
      const answer = await owner.send(`GET /audit/${id}`)
      expect([answer.status, answer.body]).toMatchObject([404, { error: 'audit_entry_not_found' }])
    }
  })

  test('is filtered by actor, action and time, and shows nothing of other organizations', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) await admin.send('POST /api-keys', { name })
    const byAda = (await owner.send(`GET /audit?actorId=${admin.person.userId}&action=api_key.&limit=100`))
      .body
    const { data } = byAda as { data: { action: string; actor: { id: string } }[] }
    expect(data.length).toBeGreaterThan(3)
    for (const { action, actor } of data) {
      expect(action).toMatch(/^api_key\./)
      expect(actor.id).toBe(admin.person.userId)
    }
    const later = await owner.send('GET /audit?from=2999-01-01T00:00:00Z')
    expect(later.body).toEqual({ data: [], next: null })
    expect((await owner.send('GET /audit?after=nonsense')).status).toBe(400)
    for (const query of [
      'from=0000-01-01T00:00:00Z',
      'to=9999-12-31T23:59:59-23:59',
      'from=2026-01-01T00:00:60Z',
      'after=999999999999999-1',
    ]) {
      const refused = await owner.send(`GET /audit?${query}`)
      const [path] = query.split('=')
      expect([query, refused.status, refused.body]).toMatchObject([query, 400, { errors: [{ path }] }])
    }
    const shifted = await owner.send('GET /audit?from=2999-01-01T00:00:00%2B20:00')
    expect(shifted).toMatchObject({ status: 200, body: { data: [] } })
    const theirs = await owner.send(`GET /audit?entityId=${server.seed.otherOrganizationId}`)
    expect(theirs.body).toEqual({ data: [], next: null })
  })
})
