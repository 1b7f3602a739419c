import { randomUUID } from 'node:crypto'
import { type Agent, AgentId, checkedId } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const put = (id: string, body: object, key?: string) =>
  server.call(`PUT /api/v1/agents/${id}`, key === undefined ? { body } : { body, key })
const error = (answer: { status: number; body: unknown }) => [
  answer.status,
  (answer.body as { error: string }).error,
]
async function newAgent(body: object = {}): Promise<Agent> {
  return (await server.call('POST /api/v1/agents', { body: { name: 'New', ...body } })).body as Agent
}

describe('200', () => {
  test('omitted fields keep their values, inside config too', async () => {
    const { agentId } = await newAgent({
      description: 'kept',
      config: {
        instructions: 'kept',
        execution: { max_steps: 7 },
        tools: [{ type: 'builtin', name: 'a', builtin: 'datetime' }],
      },
    })
    const { status, body } = await put(agentId, {
      name: 'Renamed',
      config: { execution: { max_seconds: 60 }, tools: [] },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      agentId,
      name: 'Renamed',
      description: 'kept',
      status: 'draft',
      config: { instructions: 'kept', execution: { max_steps: 7, max_seconds: 60 }, tools: [] },
    })
    expect((await server.call(`GET /api/v1/agents/${agentId}`)).body).toEqual(body)
  })

  test('description null clears it', async () => {
    const { agentId } = await newAgent({ description: 'gone' })
    expect((await put(agentId, { description: null })).body).toMatchObject({ description: null, name: 'New' })
  })

  test('two concurrent updates are merged one after the other', async () => {
    const { agentId } = await newAgent()
    const fields = Array.from({ length: 10 }, (_, at) => `f${at}`)
    const answers = await Promise.all(
      fields.map((field) => put(agentId, { config: { metadata: { [field]: 'x' } } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200))
    const { body } = await server.call(`GET /api/v1/agents/${agentId}`)
    expect(Object.keys((body as { config: { metadata: object } }).config.metadata).toSorted()).toEqual(fields)
  })

  test('renaming an agent does not check its existing configurations', async () => {
    const { llm, organizationId } = server.seed
    const { agentId } = await newAgent({ config: { model: { primary: { llm_config_id: llm.project } } } })
    const { database } = server.context
    const record = (await database.read.llmConfigurations.list(organizationId)).find(
      ({ id }) => id === llm.project,
    )!
    await database.transaction(({ write }) =>
      write.llmConfigurations.update({ ...record, status: 'disconnected' }),
    )
    expect((await put(agentId, { name: 'Renamed' })).status).toBe(200)
    expect(error(await put(agentId, { config: { instructions: 'x' } }))).toEqual([
      422,
      'llm_configuration_not_found',
    ])
    await database.transaction(({ write }) =>
      write.llmConfigurations.update({ ...record, status: 'connected' }),
    )
  })

  test('the next read of the same process sees every write, including through the catalog of runs', async () => {
    const { agentId } = await newAgent()
    const { catalog } = server.context
    const { organizationId } = server.seed
    let reading = true
    // Readers that always keep a read in progress, so that each write races with some.
    const readers = Array.from({ length: 4 }, async () => {
      while (reading) {
        await catalog.agent(organizationId, checkedId(AgentId, agentId))
        await new Promise(setImmediate)
      }
    })
    for (let n = 0; n < 100; n += 1) {
      await put(agentId, { name: `n${n}`, config: { instructions: `i${n}` } })
      const [seen, read] = await Promise.all([
        catalog.agent(organizationId, checkedId(AgentId, agentId)),
        server.call(`GET /api/v1/agents/${agentId}`),
      ])
      expect([seen?.name, seen?.config.instructions]).toEqual([`n${n}`, `i${n}`])
      expect(read.body).toMatchObject({ name: `n${n}` })
    }
    reading = false
    await Promise.all(readers)
  })
})

describe('400 validation_error', () => {
  test('no field', async () => {
    const answer = await put((await newAgent()).agentId, {})
    expect(error(answer)).toEqual([400, 'validation_error'])
    expect(answer.body).toMatchObject({
      message: 'At least one of name, description, config must be provided.',
    })
  })

  test('unknown fields do not count as a field', async () => {
    expect(error(await put((await newAgent()).agentId, { status: 'active' }))).toEqual([
      400,
      'validation_error',
    ])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ description: 5 }, 'description'],
    [{ config: 'x' }, 'config'],
    [{ config: { model: { primary: { temperature: 'hot' } } } }, 'config.model.primary.temperature'],
  ])('%j', async (body, path) => {
    const { agentId } = await newAgent()
    const answer = await put(agentId, body)
    expect(error(answer)).toEqual([400, 'validation_error'])
    expect(answer.body).toMatchObject({ errors: [{ path }] })
  })

  test('comes before 404 and 403', async () => {
    const { agents, keys } = server.seed
    const bad = { config: { execution: { max_steps: -1 } } }
    expect(error(await put(randomUUID(), bad))).toEqual([400, 'validation_error'])
    expect(error(await put(agents.otherProject, bad, keys.project))).toEqual([400, 'validation_error'])
    expect(error(await put('no-uuid', { name: '' }))).toEqual([400, 'validation_error'])
  })
})

describe('404 agent_not_found', () => {
  test.each(['unknown', 'no UUID', 'of another organization'])('%s', async (which) => {
    const ids = {
      unknown: randomUUID(),
      'no UUID': 'abc',
      'of another organization': server.seed.agents.otherOrganization,
    }
    const answer = await put(ids[which as keyof typeof ids], { name: 'x' })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      error: 'agent_not_found',
      message: 'Agent not found in this organization.',
    })
  })
})

describe('403 forbidden', () => {
  test.each([
    'otherProject',
    'organization',
  ] as const)('a project key and the agent of: %s', async (which) => {
    const { agents, keys } = server.seed
    expect(error(await put(agents[which], { name: 'x' }, keys.project))).toEqual([403, 'forbidden'])
  })

  test('comes before 422', async () => {
    const { agents, keys } = server.seed
    const config = { model: { primary: { llm_config_id: randomUUID() } } }
    expect(error(await put(agents.otherProject, { config }, keys.project))).toEqual([403, 'forbidden'])
  })
})

describe('422 llm_configuration_not_found', () => {
  test('a configuration of another project than the agent', async () => {
    const { llm, agents } = server.seed
    const config = { model: { primary: { llm_config_id: llm.otherProject } } }
    const answer = await put(agents.project, { config })
    expect(error(answer)).toEqual([422, 'llm_configuration_not_found'])
    expect(answer.body).toMatchObject({ errors: [{ path: 'config.model.primary.llm_config_id' }] })
  })

  test('a refused update changes nothing', async () => {
    const { agentId, updatedAt } = await newAgent()
    await put(agentId, { name: 'Changed', config: { model: { primary: { llm_config_id: randomUUID() } } } })
    expect((await server.call(`GET /api/v1/agents/${agentId}`)).body).toMatchObject({
      name: 'New',
      updatedAt,
    })
  })
})
