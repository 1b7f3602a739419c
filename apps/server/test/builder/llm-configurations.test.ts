import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asMember, asOperator } from './builder-caller.ts'

const SECRET = 'sk-the-secret-of-the-provider-wxyz'
const GATEWAY = 'the secret of a gateway'

let server: TestServer
let models: ModelServer
let admin: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  models = await startModelServer({ models: ['zeta', 'alpha'] })
  server = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
  admin = await asMember(server, 'admin', 'Ada')
})
beforeEach(() => models.reset())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await models.close()
})

const connection = () => ({
  providerId: 'openai-compatible',
  baseUrl: models.url,
  credentials: { apiKey: SECRET },
})

async function created(given: object = {}) {
  const slug = `llm-${randomUUID().slice(0, 8)}`
  const body = {
    ...connection(),
    slug,
    name: slug,
    settings: { headers: { 'x-gateway': GATEWAY } },
    models: [{ modelId: 'alpha', inputUsdPerMillion: 1, outputUsdPerMillion: 2 }],
    ...given,
  }
  const answer = await admin.send('POST /llm-configurations', body)
  return { answer, path: `/llm-configurations/${propertyOf(answer.body, 'llmConfigId')}` }
}

const authorizationOf = () => models.requests.at(-1)?.headers.authorization

describe('an LLM configuration', () => {
  test('never shows a secret: not in responses, not in the audit log, not in errors', async () => {
    const { answer, path } = await created()
    expect(answer).toMatchObject({
      status: 201,
      body: {
        settings: { headers: { 'x-gateway': null } },
        credentialFields: [{ name: 'apiKey', isSet: true, hint: 'wxyz', setAt: expect.any(String) }],
        models: [{ modelId: 'alpha', contextLength: 128_000, inputUsdPerMillion: 1 }],
        version: 1,
        usedBy: [],
      },
    })
    const changed = await admin.send(`PUT ${path}`, { credentials: { apiKey: `${SECRET}-2` }, version: 1 })
    const shown = [
      answer.body,
      changed.body,
      (await admin.send('GET /llm-configurations?limit=100')).body,
      (await admin.send('GET /audit?entityKind=llm_configuration')).body,
      (await admin.send(`PUT ${path}`, { credentials: { apiKey: `${SECRET}\n` }, version: 2 })).body,
    ]
    for (const text of shown.map((body) => JSON.stringify(body))) {
      expect(text).not.toContain('sk-the-secret')
      expect(text).not.toContain(GATEWAY)
    }
  })

  test('keeps credentials and headers that a change omits, and removes those that are null', async () => {
    const { path } = await created()
    const renamed = await admin.send(`PUT ${path}`, {
      name: 'Renamed',
      settings: { headers: { 'x-gateway': null, 'x-more': 'yes' } },
      version: 1,
    })
    expect(renamed.body).toMatchObject({ name: 'Renamed', version: 2, credentialFields: [{ isSet: true }] })
    const llmConfigId = propertyOf(renamed.body, 'llmConfigId')
    await admin.send('POST /llm-configurations/test', { llmConfigId })
    expect(authorizationOf()).toBe(`Bearer ${SECRET}`)
    expect(models.requests.at(-1)?.headers).toMatchObject({ 'x-gateway': GATEWAY, 'x-more': 'yes' })
    const removed = await admin.send(`PUT ${path}`, { credentials: { apiKey: null }, version: 2 })
    expect(removed.body).toMatchObject({ credentialFields: [{ isSet: false, hint: '', setAt: null }] })
    await admin.send('POST /llm-configurations/test', { llmConfigId })
    expect(authorizationOf()).toBeUndefined()
  })

  test('a stored secret is never sent to another address, by a change or by a test', async () => {
    const { path, answer } = await created({ providerId: 'mistral' })
    const elsewhere = models.url.replace('127.0.0.1', 'localhost')
    const moved = await admin.send(`PUT ${path}`, { baseUrl: elsewhere, version: 1 })
    expect(moved).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'credentials.apiKey', message: expect.stringContaining('again') }] },
    })
    const llmConfigId = propertyOf(answer.body, 'llmConfigId')
    for (const operation of ['test', 'models']) {
      const body = { llmConfigId, baseUrl: elsewhere }
      expect((await admin.send(`POST /llm-configurations/${operation}`, body)).status).toBe(400)
    }
    expect(models.requests).toEqual([])
  })

  test('is changed from the version that was read; a stale change names the earlier author', async () => {
    const { path } = await created()
    await asOperator(server).send(`PUT ${path}`, { name: 'By the operator' })
    expect(await admin.send(`PUT ${path}`, { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      body: {
        error: 'version_conflict',
        current: { number: 2, changedBy: { kind: 'operator', name: null } },
      },
    })
  })

  test('names every failure of a connection at once', async () => {
    const { answer } = await created({ providerId: 'azure-openai', baseUrl: null, credentials: { key: 'x' } })
    expect(answer.status).toBe(400)
    expect(
      (propertyOf(answer.body, 'errors') as { path: string }[]).map(({ path }) => path).toSorted(),
    ).toEqual(['credentials.apiKey', 'credentials.key', 'settings.resourceName'])
  })

  test('that becomes the default replaces the previous default of the same scope', async () => {
    const first = await created({ default: true, projectId: server.seed.projectId })
    const second = await created({ default: true, projectId: server.seed.projectId })
    expect((await admin.send(`GET ${first.path}`)).body).toMatchObject({
      default: false,
      projectName: 'Mine',
    })
    expect((await admin.send(`GET ${second.path}`)).body).toMatchObject({ default: true })
    const former = `/llm-configurations/${server.seed.llm.organization}`
    expect((await admin.send(`GET ${former}`)).body).toMatchObject({ default: true })
  })

  test('in use is not deleted, and the error names its uses', async () => {
    const { path, answer } = await created()
    const agent = await server.call('POST /api/v1/agents', {
      body: {
        name: 'Writer',
        config: {
          model: { primary: { llm_config_id: propertyOf(answer.body, 'llmConfigId'), model_id: 'alpha' } },
        },
      },
    })
    expect(agent.status).toBe(201)
    const id = propertyOf(agent.body, 'agentId')
    expect((await admin.send(`GET ${path}`)).body).toMatchObject({
      usedBy: [{ kind: 'agent', id, name: 'Writer' }],
    })
    const refused = await admin.send(`DELETE ${path}`)
    expect(refused).toMatchObject({ status: 409, body: { error: 'llm_configuration_in_use' } })
    expect(propertyOf(refused.body, 'message')).toContain('The agent Writer')
    const unused = await created()
    expect((await admin.send(`DELETE ${unused.path}`)).status).toBe(204)
    expect((await admin.send(`GET ${unused.path}`)).body).toMatchObject({
      error: 'llm_configuration_not_found',
    })
  })

  test('is not moved out of the project of an agent that uses it', async () => {
    const { path, answer } = await created()
    const { projectId, otherProjectId } = server.seed
    const primary = { llm_config_id: propertyOf(answer.body, 'llmConfigId') }
    const body = { name: 'Settled', projectId, config: { model: { primary } } }
    expect((await admin.send('POST /agents', body)).status).toBe(201)
    const move = (to: string | null, version: number) => admin.send(`PUT ${path}`, { projectId: to, version })
    const message = 'must not change: the agent “Settled” of another project uses it'
    expect(await move(otherProjectId, 1)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'projectId', message }] },
    })
    expect((await move(projectId, 1)).status).toBe(200)
    expect((await move(null, 2)).status).toBe(200)
  })

  test('that is the default is used by configurations without one, so it is not deleted', async () => {
    const { projectId } = server.seed
    const byDefault = async (method: string, path: string, body: object) => {
      const made = await admin.send(`${method} ${path}`, { projectId, ...body })
      expect([made.status, made.body]).toEqual([201, expect.anything()])
    }
    const { path } = await created({ default: true, projectId })
    const model = { primary: { llm_config_id: server.seed.llm.organization } }
    await byDefault('POST', '/agents', { name: 'Named', config: { model } })
    await byDefault('POST', '/agents', { name: 'Nameless' })
    await byDefault('POST', '/agents', {
      name: 'Rescued',
      config: { model: { ...model, fallbacks: [{ model_id: 'alpha' }] } },
    })
    const position = { x: 0, y: 0 }
    const node = { id: 'say', type: 'ai-prompt', name: 'Say', position }
    for (const [name, config] of [
      ['Chooses', { model }],
      ['Takes', { prompt: 'Hello' }],
    ] as const) {
      await seedWorkflow(server.context.database, {
        organizationId: server.seed.organizationId,
        projectId,
        name,
        graph: { nodes: [{ ...node, config }], edges: [] },
        publish: false,
      })
    }
    const users = async (of: string) => {
      const { body } = await admin.send(`GET ${of}`)
      return (propertyOf(body, 'usedBy') as { name: string }[]).map(({ name }) => name)
    }
    expect(await users(path)).toEqual(['Nameless', 'Project agent', 'Rescued', 'Takes'])
    const ofProject = await admin.send(`GET /llm-configurations?projectId=${projectId.toUpperCase()}`)
    const listed = propertyOf(ofProject.body, 'data') as { llmConfigId: string; usedBy: unknown }[]
    expect(listed.length).toBeGreaterThan(0)
    for (const { llmConfigId, usedBy } of listed) {
      const { body } = await admin.send(`GET /llm-configurations/${llmConfigId}`)
      expect(usedBy).toEqual(propertyOf(body, 'usedBy'))
    }
    expect(await admin.send(`DELETE ${path}`)).toMatchObject({
      status: 409,
      body: {
        error: 'llm_configuration_in_use',
        message: expect.stringContaining('make another one the default first'),
      },
    })
    const organization = `/llm-configurations/${server.seed.llm.organization}`
    expect(await users(organization)).toEqual(expect.arrayContaining(['Organization agent', 'Named']))
    expect(await users(organization)).not.toContain('Nameless')
    await created({ default: true, projectId: projectId.toUpperCase() })
    expect((await admin.send(`DELETE ${path}`)).status).toBe(204)
  })

  test('is created once for one id', async () => {
    const given = { id: randomUUID(), slug: 'once', name: 'Once' }
    expect((await created(given)).answer.status).toBe(201)
    expect((await created(given)).answer.status).toBe(200)
    expect((await created({ ...given, id: randomUUID() })).answer.body).toMatchObject({ error: 'slug_taken' })
    const foreign = { ...given, slug: 'twice', id: server.seed.llm.otherOrganization }
    expect((await created(foreign)).answer.body).toMatchObject({ error: 'id_taken' })
  })
})

describe('a test of a connection', () => {
  const tested = (body: object) => admin.send('POST /llm-configurations/test', body)

  test('calls the model once, with few tokens, before anything is stored', async () => {
    models.script({ text: 'OK' })
    const answer = await tested({ ...connection(), modelId: 'alpha' })
    expect(answer).toMatchObject({ status: 200, body: { ok: true, reply: 'OK', error: null } })
    expect(propertyOf(answer.body, 'firstTokenMs')).toBeGreaterThanOrEqual(0)
    expect(models.requests).toHaveLength(1)
    expect(models.requests[0]?.body).toMatchObject({ model: 'alpha', max_tokens: 1000 })
  })

  test.each([
    [401, 'http_401', 'credentials.apiKey'],
    [404, 'model_not_found', 'modelId'],
    [429, 'http_429', null],
    [500, 'http_500', null],
  ])('a status %i is a result that names the field and the fix', async (status, code, field) => {
    models.script({ status, body: { error: { message: `no, ${SECRET}` } } })
    const answer = await tested({ ...connection(), modelId: 'alpha' })
    expect(answer).toMatchObject({ status: 200, body: { ok: false, reply: null, error: { code, field } } })
    // The provider's own message, without the key.
    expect(answer).toMatchObject({ body: { error: { providerMessage: 'no, [secret]' } } })
    expect(propertyOf(propertyOf(answer.body, 'error'), 'fix')).toMatch(/\w+.*\.$/)
    expect(JSON.stringify(answer.body)).not.toContain(SECRET)
    expect(models.requests).toHaveLength(1)
  })

  test.each([
    ['nothing', { text: '' }, 'empty_response'],
    ['white space', { text: ' \n' }, 'empty_response'],
    ['half of an answer', { text: 'O', finishReason: 'insufficient_system_resource' }, 'answer_cut'],
  ])('%s is an invalid response', async (_name, reply, code) => {
    models.script(reply)
    const answer = await tested({ ...connection(), modelId: 'alpha' })
    expect(answer).toMatchObject({ status: 200, body: { ok: false, reply: null, error: { code } } })
    expect(models.requests).toHaveLength(1)
  })

  test('a model that used up its tokens for reasoning succeeds', async () => {
    models.script({ reasoning: 'Should I say OK?', finishReason: 'length' })
    const answer = await tested({ ...connection(), modelId: 'alpha' })
    expect(answer).toMatchObject({ status: 200, body: { ok: true, reply: '' } })
  })

  test('an address without a listener and a forbidden one have different errors', async () => {
    const nobody = await tested({ ...connection(), baseUrl: 'http://127.0.0.1:9/v1', modelId: 'alpha' })
    expect(nobody.body).toMatchObject({ ok: false, error: { code: 'network', field: 'baseUrl' } })
    const inside = await tested({ ...connection(), baseUrl: 'http://169.254.169.254/v1', modelId: 'alpha' })
    expect(inside.body).toMatchObject({ ok: false, error: { code: 'address_not_allowed', field: 'baseUrl' } })
  })

  test('is in the usage of the organization with its cost', async () => {
    const { answer } = await created()
    models.script({ text: 'OK', usage: { inputTokens: 1_000_000, outputTokens: 0 } })
    const before = await costs()
    expect((await tested({ llmConfigId: propertyOf(answer.body, 'llmConfigId') })).body).toMatchObject({
      ok: true,
    })
    expect((await costs()) - before).toBeCloseTo(1)
  })

  test('needs a model', async () => {
    expect(await tested(connection())).toMatchObject({ status: 400, body: { errors: [{ path: 'modelId' }] } })
  })

  async function costs(): Promise<number> {
    const usage = await server.call('GET /api/v1/usage')
    const { data } = usage.body as { data: { costUsd: number | null }[] }
    return data.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  }
})

describe('the models of a provider', () => {
  const listed = (body: object) => admin.send('POST /llm-configurations/models', body)

  test('are listed by id as offered by the provider, with the stored key', async () => {
    const { answer } = await created()
    const models_ = await listed({ llmConfigId: propertyOf(answer.body, 'llmConfigId') })
    expect(models_).toMatchObject({
      status: 200,
      body: {
        models: [
          { modelId: 'alpha', kind: 'chat' },
          { modelId: 'zeta', kind: 'chat' },
        ],
      },
    })
    expect(authorizationOf()).toBe(`Bearer ${SECRET}`)
  })

  test('that cannot be listed are 502 with a message', async () => {
    const wrong = await listed({ ...connection(), baseUrl: `${models.url}/nowhere` })
    expect(wrong).toMatchObject({ status: 502, body: { error: 'upstream_error' } })
    expect(propertyOf(wrong.body, 'message')).toContain('Check the base URL.')
    const bedrock = {
      providerId: 'amazon-bedrock',
      credentials: { apiKey: 'x' },
      settings: { region: 'eu-central-1' },
    }
    expect((await listed(bedrock)).body).toMatchObject({ message: 'This provider has no list of models.' })
  })
})

test('every provider describes its connection fields', async () => {
  const { body } = await admin.send('GET /providers')
  const { data } = body as { data: { providerId: string }[] }
  expect(data.find(({ providerId }) => providerId === 'openai')).toMatchObject({
    baseUrl: 'optional',
    listsModels: true,
    credentials: [{ name: 'apiKey', required: true, kind: 'string' }],
    settings: expect.arrayContaining([
      expect.objectContaining({ name: 'api', choices: ['responses', 'chat'] }),
    ]),
  })
  expect(data).toHaveLength(10)
})
