import { randomUUID } from 'node:crypto'
import { AGENT_CONFIG_DEFAULTS, type Agent } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (body: object | string, key?: string) =>
  server.call('POST /api/v1/agents', key === undefined ? { body } : { body, key })

describe('201', () => {
  test('a name alone creates a draft of the organization with every default', async () => {
    const { status, body } = await create({ name: 'Minimal' })
    expect(status).toBe(201)
    expect(body).toEqual({
      agentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Minimal',
      description: null,
      status: 'draft',
      projectId: null,
      config: AGENT_CONFIG_DEFAULTS,
      configSchemaVersion: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test('config is merged onto the defaults, and its unknown fields are kept', async () => {
    const { llm } = server.seed
    const config = {
      model: { primary: { llm_config_id: llm.organization, model_id: 'sandbox-1', temperature: 0.3 } },
      instructions: 'Write.',
      later: { x: 1 },
    }
    const { status, body } = await create({ name: 'Merged', description: 'd', config })
    expect(status).toBe(201)
    expect((body as Agent).config).toMatchObject({ ...config, execution: { max_steps: 20 } })
  })

  test('an organization key may name a project, or null', async () => {
    const { projectId } = server.seed
    expect((await create({ name: 'P', projectId })).body).toMatchObject({ projectId })
    expect((await create({ name: 'P', projectId: null })).body).toMatchObject({ projectId: null })
  })

  test.each([
    null,
    'not a uuid',
    7,
    { a: 1 },
  ])('a project key creates in its own project, for any projectId (%j)', async (projectId) => {
    const { keys, projectId: own } = server.seed
    const { status, body } = await create({ name: 'Mine', projectId }, keys.project)
    expect(status).toBe(201)
    expect(body).toMatchObject({ projectId: own })
  })

  test('names have 1 to 128 characters', async () => {
    expect((await create({ name: 'x' })).status).toBe(201)
    expect((await create({ name: 'x'.repeat(128) })).status).toBe(201)
  })

  test('an organization agent may use the configuration of any project', async () => {
    const config = { model: { primary: { llm_config_id: server.seed.llm.otherProject } } }
    expect((await create({ name: 'Any', config })).status).toBe(201)
  })
})

describe('400 validation_error', () => {
  test.each<[string, object | string, string[]]>([
    ['no name', {}, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a long name', { name: 'x'.repeat(129) }, ['name']],
    ['a name that is no text', { name: 5 }, ['name']],
    ['a description that is no text', { name: 'x', description: 5 }, ['description']],
    ['a projectId that is no UUID', { name: 'x', projectId: 'abc' }, ['projectId']],
    ['a config that is no object', { name: 'x', config: [] }, ['config']],
    [
      'every failure at once',
      { name: '', description: 5, projectId: 'abc' },
      ['name', 'description', 'projectId'],
    ],
    [
      'a merged config that is out of range',
      { name: 'x', config: { model: { primary: { temperature: 3 } }, execution: { max_steps: 0 } } },
      ['config.model.primary.temperature', 'config.execution.max_steps'],
    ],
    ['a reserved key in the config', '{"name":"x","config":{"prototype":{}}}', ['config.prototype']],
    ['a body that is no object', '[]', ['body']],
    ['no body', '', ['body']],
  ])('%s', async (_name, body, paths) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'validation_error', message: expect.any(String) })
    const { errors } = answer.body as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })
})

describe('422', () => {
  test.each([
    'an unknown project',
    "another organization's project",
  ])('project_not_found: %s', async (which) => {
    const projectId = which === 'an unknown project' ? randomUUID() : server.seed.otherOrganizationProjectId
    const answer = await create({ name: 'x', projectId })
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([422, 'project_not_found'])
  })

  const reference = {
    primary: (id: string) => ({ model: { primary: { llm_config_id: id } } }),
    fallback: (id: string) => ({ model: { fallbacks: [{ llm_config_id: id }] } }),
    rerank: (id: string) => ({ knowledge: { rerank_llm_config_id: id } }),
  }

  test.each([
    'primary',
    'fallback',
    'rerank',
  ] as const)('llm_configuration_not_found: unknown, as %s', async (place) => {
    const answer = await create({ name: 'x', config: reference[place](randomUUID()) })
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      422,
      'llm_configuration_not_found',
    ])
  })

  test.each([
    'disconnected',
    'otherOrganization',
  ] as const)('llm_configuration_not_found: %s', async (which) => {
    const answer = await create({ name: 'x', config: reference.primary(server.seed.llm[which]) })
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      422,
      'llm_configuration_not_found',
    ])
  })

  test('an agent of a project may use its own configurations and the organization’s, but not those of another project', async () => {
    const { projectId, llm, keys } = server.seed
    const status = async (id: string, key?: string) =>
      (await create({ name: 'x', projectId, config: reference.primary(id) }, key)).status
    for (const key of [undefined, keys.project]) {
      expect(await status(llm.organization, key)).toBe(201)
      expect(await status(llm.project, key)).toBe(201)
      expect(await status(llm.otherProject, key)).toBe(422)
    }
  })

  test('400 comes before 422', async () => {
    const config = { model: { primary: { llm_config_id: randomUUID(), temperature: 9 } } }
    expect((await create({ name: 'x', projectId: randomUUID(), config })).status).toBe(400)
  })
})
