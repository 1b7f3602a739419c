import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { seedForm } from '@troupe/test-kit/seed-form'
import { seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let slug: string
let admin: Awaited<ReturnType<typeof asMember>>
let owner: Awaited<ReturnType<typeof asMember>>

beforeAll(async () => {
  server = await startTestServer()
  const { organizationId } = server.seed
  slug = (await server.context.database.read.organizations.byId(organizationId))?.slug ?? ''
  admin = await asMember(server, 'admin', 'Max')
  owner = await asMember(server, 'owner', 'Ana')
})
afterAll(() => server[Symbol.asyncDispose]())

const bundle = (lines: string, organization = slug) => `apiVersion: troupe/v1
organizations:
  - slug: ${organization}
    name: Acme
${lines}`

interface Preview {
  changes: { kind: string; name: string; action: string; before: object | null; after: object }[]
  errors: { line: number | null; path: string; message: string }[]
}

async function plan(text: string, as: BuilderClient = admin, variables = {}): Promise<Preview> {
  const { status, body } = await as.send('POST /bundle/plan', { text, variables })
  expect(status).toBe(200)
  return body as Preview
}
const apply = (text: string, as: BuilderClient = admin) => as.send('POST /bundle/apply', { text })

describe('the bundle of an organization', () => {
  test('a plan returns the changes and writes nothing; an apply writes them as the member', async () => {
    const text = bundle(
      `    agents: [{ slug: greeter, name: "\${WHO}", config: { instructions: Greet. } }]
    apiKeys: [{ name: ci }]`,
    )
    const { changes, errors } = await plan(text, admin, { WHO: 'Greeter' })
    expect(errors).toEqual([])
    expect(changes.filter(({ kind }) => kind !== 'organization')).toEqual([
      {
        kind: 'api_key',
        name: 'ci',
        action: 'create',
        before: null,
        after: expect.objectContaining({ name: 'ci' }),
      },
      {
        kind: 'agent',
        name: 'greeter',
        action: 'create',
        before: null,
        after: expect.objectContaining({ name: 'Greeter', status: 'draft' }),
      },
    ])
    expect(JSON.stringify(changes)).not.toContain('fingerprint')
    expect((await plan(text, admin, { WHO: 'Greeter' })).changes).toEqual(changes)

    const applied = await admin.send('POST /bundle/apply', { text, variables: { WHO: 'Greeter' } })
    expect(applied).toMatchObject({
      status: 200,
      body: { organizations: [{ slug, agents: { created: 1 }, mintedKeys: [{ name: 'ci' }] }] },
    })
    expect((await plan(text, admin, { WHO: 'Greeter' })).changes).toEqual([])
    const audit = await admin.send('GET /audit?action=agent.created')
    expect(audit.body).toMatchObject({ data: [{ actor: { kind: 'user', name: 'Max' } }] })
  })

  test('every problem has its line, and the environment of the server is never read', async () => {
    const { changes, errors } = await plan(
      bundle(`    agents:\n      - { slug: b, name: "\${PATH}" }\n      - { slug: c }`),
    )
    expect(changes).toEqual([])
    expect(errors).toMatchObject([
      { line: 6, path: 'organizations.0.agents.0.name' },
      { line: 7, path: 'organizations.0.agents.1.name', message: 'is required' },
    ])
    expect(JSON.stringify(errors)).not.toContain(process.env.PATH ?? '-')
    expect(await apply(bundle('    agents: [{ slug: c }]'))).toMatchObject({
      status: 400,
      body: { error: 'validation_error', errors: [{ path: 'organizations.0.agents.0.name' }] },
    })
  })

  test('another organization is out of reach, whether it exists or not', async () => {
    const { read } = server.context.database
    const other = await read.organizations.byId(server.seed.otherOrganizationId)
    for (const foreign of [other?.slug ?? '', 'nobody']) {
      const { errors } = await plan(bundle('    agents: [{ slug: a, name: A }]', foreign))
      expect(errors).toEqual([
        {
          line: 3,
          path: 'organizations.0.slug',
          message: `must be ${slug}: a member changes one organization`,
          reason: 'other_organization',
        },
      ])
    }
    const byId = bundle(`    id: ${server.seed.otherOrganizationId}`)
    expect((await plan(byId)).errors).toHaveLength(1)
    expect(await apply(byId, owner)).toMatchObject({ status: 400 })
    expect(await read.organizations.bySlug('nobody')).toBeNull()
  })

  test('the bundle of another organization is adopted by slugs, without its ids, members and limits', async () => {
    const { context, seed } = server
    const other = await context.database.read.organizations.byId(seed.otherOrganizationId)
    const own = await context.database.read.organizations.byId(seed.organizationId)
    const path = `/api/builder/v1/organizations/${seed.otherOrganizationId}/bundle`
    const headers = { authorization: `Bearer ${server.adminToken}` }
    const made = await server.call(`POST ${path}/apply`, {
      key: null,
      headers,
      body: {
        text: bundle(
          `    limits: { rpm: 77 }
    projects: [{ slug: moved-desk, name: Moved desk }]
    members: [{ email: moved@other.test, name: Moved, role: viewer }]
    agents: [{ slug: moved, name: Moved, project: moved-desk }]`,
          other?.slug,
        ),
      },
    })
    expect(made.status).toBe(200)
    const text = String((await server.call(`GET ${path}`, { key: null, headers })).body)
    const given = { text, variables: {}, adopt: true }
    const planned = await admin.send('POST /bundle/plan', given)
    const { changes, errors } = planned.body as Preview
    expect(errors).toEqual([])
    const kinds = changes.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['project', 'agent']))
    expect(kinds).not.toContain('organization')
    expect(kinds).not.toContain('member')
    expect((await admin.send('POST /bundle/apply', given)).status).toBe(200)
    expect((await admin.send('POST /bundle/plan', given)).body).toEqual({ changes: [], errors: [] })
    const mine = String((await admin.send('GET /bundle')).body)
    expect(mine).toContain('slug: moved')
    expect(mine).not.toContain('moved@other.test')
    const foreign = /slug: moved\n\s+name: Moved\n\s+id: (\S+)/.exec(text)?.[1]
    expect(foreign).toMatch(/^[0-9a-f-]{36}$/)
    expect(mine).not.toContain(foreign)
    expect(await context.database.read.organizations.byId(seed.organizationId)).toMatchObject({
      name: own?.name,
      slug: own?.slug,
      rpm: own?.rpm,
    })
  })

  test('secrets of a model configuration are neither exported nor sent to another address by a bundle', async () => {
    const created = await admin.send('POST /llm-configurations', {
      slug: 'gateway',
      name: 'Gateway',
      providerId: 'openai-compatible',
      baseUrl: 'https://models.acme.test/v1',
      credentials: { apiKey: 'sk-never-exported' },
      settings: { headers: { 'x-gateway': 'header-never-exported' } },
      models: [{ modelId: 'small' }],
    })
    expect(created.status).toBe(201)
    const id = propertyOf(created.body, 'llmConfigId')
    const text = String((await admin.send(`GET /bundle?include=llm_configuration:${id}`)).body)
    expect(text).not.toContain('never-exported')
    expect(text).toContain('x-gateway: null')
    expect(await plan(text)).toEqual({ changes: [], errors: [] })
    const elsewhere = text.replace('models.acme.test', 'models.evil.test')
    expect((await plan(elsewhere)).errors).toMatchObject([
      {
        path: 'organizations.0.llmConfigurations.0.credentials',
        message: expect.stringContaining('another address'),
      },
    ])
    const unknown = text
      .replace('slug: gateway', 'slug: other')
      .replace(/\n\s+id: [^\n]*\n(?=\s+providerId)/, '\n')
    expect((await plan(unknown)).errors).toMatchObject([
      { path: 'organizations.0.llmConfigurations.0.settings.headers.x-gateway' },
    ])
  })

  test('the secret of a credential is sent to no new host by a member’s bundle', async () => {
    const credential = (rest: string) =>
      bundle(`    credentials: [{ slug: crm, name: CRM, kind: bearer, ${rest} }]`)
    expect((await apply(credential('secret: crm-secret-1, hosts: ["*.crm.test"]'))).status).toBe(200)
    expect((await plan(credential('hosts: [api.crm.test]'))).errors).toEqual([])
    expect((await plan(credential('hosts: ["*.crm.test", evil.test]'))).errors).toMatchObject([
      {
        path: 'organizations.0.credentials.0.secret',
        message: 'must be entered again, because a host was added',
      },
    ])
    expect((await plan(credential('secret: another-secret, hosts: [evil.test]'))).errors).toEqual([])
  })

  test('a member cannot add people or take over accounts', async () => {
    const { context, seed } = server
    const person = await seedPerson(context.database, { organizationId: seed.organizationId, role: 'viewer' })
    const stranger = await seedPerson(context.database, { organizationId: seed.otherOrganizationId })
    const member = (email: string, rest: string) =>
      bundle(`    members: [{ email: ${email}, name: Ana, ${rest} }]`)
    const problems = async (text: string, as: BuilderClient = owner) =>
      (await plan(text, as)).errors.map(({ message }) => message)
    expect(await problems(member(stranger.email, 'role: admin'))).toEqual([
      'is not a member yet: invite the person instead',
    ])
    expect(
      await problems(member(`${randomUUID()}@acme.test`, 'role: admin, password: a long new password')),
    ).toEqual(['is not a member yet: invite the person instead'])
    expect(await problems(member(person.email, 'role: viewer, password: a long new password'))).toEqual([
      'has another name or password: users change their own',
    ])
    expect(await problems(member(person.email, 'role: owner'), admin)).toEqual([
      'can be changed only by an owner',
    ])
    expect(await problems(member(person.email, 'role: owner'))).toEqual([])
    expect(await problems(member(person.email, 'role: member'), admin)).toEqual([])
    const renamed = bundle(`    id: ${seed.organizationId}`, 'renamed')
    expect(await problems(renamed, admin)).toEqual(['can be changed only by an owner'])
    expect(await problems(renamed, owner)).toEqual([])
  })

  test('applying an export changes nothing, and an export may have some items with their dependencies', async () => {
    const made = await apply(
      bundle(`    projects: [{ slug: desk, name: Desk }]
    agents:
      - { slug: alone, name: Alone }
      - { slug: greeter, name: Greeter, config: { instructions: Greet. } }
      - { slug: member, name: Member, project: desk }
    teams:
      - slug: pair
        name: Pair
        project: desk
        mode: parallel
        lead: { agent: member }
        members: [{ agent: greeter }]`),
    )
    expect(made.body).toMatchObject({ organizations: [{ teams: { created: 1 } }] })
    const whole = await admin.send('GET /bundle')
    expect(whole.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(await plan(String(whole.body))).toEqual({ changes: [], errors: [] })

    const { body: teams } = await admin.send('GET /teams?q=Pair')
    const teamId = propertyOf((propertyOf(teams, 'data') as object[])[0], 'teamId')
    const some = String((await admin.send(`GET /bundle?include=team:${teamId}`)).body)
    for (const name of ['slug: pair', 'slug: member', 'slug: greeter', 'slug: desk'])
      expect(some).toContain(name)
    for (const name of ['slug: alone', 'limits', 'name: ci']) expect(some).not.toContain(name)
    expect(await plan(some)).toEqual({ changes: [], errors: [] })
    const only = String((await admin.send(`GET /bundle?include=team:${teamId}&dependencies=false`)).body)
    expect(only).not.toContain('slug: greeter')
    expect(await admin.send(`GET /bundle?include=agent:${randomUUID()}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'include', message: expect.stringContaining('does not exist') }] },
    })
  })
})

describe('uploads', () => {
  test('are listed, downloaded as attachments and deleted', async () => {
    const { context, seed } = server
    const form = await seedForm(context, {
      organizationId: seed.organizationId,
      fields: [{ name: 'cv', label: 'CV', type: 'file' }],
    })
    const boundary = 'xx'
    const name = `r\u00e9sum\u00e9 'a'.txt`
    const payload = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n<b>hi</b>\r\n--${boundary}--\r\n`
    const uploaded = await server.app.inject({
      method: 'POST',
      url: `${form.path}/upload?field=cv`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload,
    })
    expect(uploaded.statusCode).toBe(201)
    const { body } = await admin.send('GET /uploads')
    const [upload] = (body as { data: { uploadId: string; filename: string }[] }).data
    expect(upload).toMatchObject({
      filename: name,
      workflowId: form.workflowId,
      workflowName: 'Form',
      field: 'cv',
      sizeBytes: 9,
      usedAt: null,
      executionId: null,
    })
    await server.app.inject({
      method: 'POST',
      url: `${form.path}/upload?field=cv`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: payload.replace(name, 'later.txt'),
    })
    const newest = (await admin.send('GET /uploads?limit=1')).body
    expect(newest).toMatchObject({ data: [{ filename: 'later.txt' }], next: expect.any(String) })
    const [later] = (newest as { data: { uploadId: string }[] }).data
    expect((await admin.send(`DELETE /uploads/${later?.uploadId}`)).status).toBe(204)
    // The last upload of the page was deleted; the next page continues after it.
    expect((await admin.send(`GET /uploads?limit=1&after=${propertyOf(newest, 'next')}`)).body).toMatchObject(
      {
        data: [{ uploadId: upload?.uploadId }],
        next: null,
      },
    )
    expect((await admin.send('GET /uploads?after=nonsense')).status).toBe(400)
    // The form belongs to no project.
    expect((await admin.send(`GET /uploads?projectId=${seed.projectId}`)).body).toEqual({
      data: [],
      next: null,
    })
    const at = `/uploads/${upload?.uploadId}`
    const content = await admin.send(`GET ${at}/content`)
    expect(content).toMatchObject({
      status: 200,
      body: '<b>hi</b>',
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%20%27a%27.txt",
        'x-content-type-options': 'nosniff',
      },
    })
    expect((await admin.send(`DELETE ${at}`)).status).toBe(204)
    for (const target of [`GET ${at}/content`, `DELETE ${at}`]) {
      expect(await admin.send(target)).toMatchObject({ status: 404, body: { error: 'upload_not_found' } })
    }
    expect((await asOperator(server).send('GET /audit?action=upload.deleted')).body).toMatchObject({
      data: [{ entity: { kind: 'upload' }, before: { filename: name } }, {}],
    })
  })
})
