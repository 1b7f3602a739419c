import { randomUUID } from 'node:crypto'
import type { Agent } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const error = (answer: { status: number; body: unknown }) => [
  answer.status,
  (answer.body as { error: string }).error,
]
interface AgentPage {
  data: Agent[]
  total: number
  page: number
  limit: number
}
async function list(query: string, key?: string): Promise<AgentPage> {
  const answer = await server.call(`GET /api/v1/agents${query}`, key === undefined ? {} : { key })
  expect(answer.status).toBe(200)
  return answer.body as AgentPage
}

describe('GET /agents/{agentId}', () => {
  test('200: an organization key reads the agents of every project', async () => {
    for (const agentId of [server.seed.agents.organization, server.seed.agents.project]) {
      const { status, body } = await server.call(`GET /api/v1/agents/${agentId}`)
      expect([status, (body as Agent).agentId]).toEqual([200, agentId])
    }
  })

  test('404 agent_not_found: an unknown id, no UUID, another organization, all with one body', async () => {
    const bodies = []
    for (const id of [randomUUID(), 'abc', '%00', 'x'.repeat(300), server.seed.agents.otherOrganization]) {
      const answer = await server.call(`GET /api/v1/agents/${id}`)
      expect(answer.status).toBe(404)
      bodies.push(JSON.stringify(answer.body))
    }
    expect(new Set(bodies).size).toBe(1)
  })

  test('403 forbidden: an agent of another project or of the organization, for a project key', async () => {
    const { agents, keys } = server.seed
    for (const id of [agents.otherProject, agents.organization]) {
      expect(error(await server.call(`GET /api/v1/agents/${id}`, { key: keys.project }))).toEqual([
        403,
        'forbidden',
      ])
    }
    expect((await server.call(`GET /api/v1/agents/${agents.project}`, { key: keys.project })).status).toBe(
      200,
    )
  })
})

describe('GET /agents', () => {
  test('an organization key sees all of its agents, newest first, and none of another organization', async () => {
    const page = await list('')
    expect(page).toMatchObject({ total: 3, page: 1, limit: 20 })
    const times = page.data.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(page.data.map(({ agentId }) => agentId)).not.toContain(server.seed.agents.otherOrganization)
  })

  test('page and limit select a part of the list', async () => {
    const all = await list('')
    const pages = [
      await list('?page=1&limit=2'),
      await list('?page=2&limit=2'),
      await list('?page=3&limit=2'),
    ]
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1, 0])
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data)
    expect(pages[2]).toMatchObject({ total: 3, page: 3, limit: 2 })
  })

  test('status filters the list', async () => {
    expect((await list('?status=active')).total).toBe(3)
    expect((await list('?status=archived')).total).toBe(0)
  })

  test('project_ref_id filters the list of an organization key', async () => {
    const { projectId, agents } = server.seed
    const { data } = await list(`?project_ref_id=${projectId}`)
    expect(data.map(({ agentId }) => agentId)).toEqual([agents.project])
  })

  test('a project key lists its own project, for any project_ref_id', async () => {
    const { otherProjectId, otherOrganizationProjectId, agents, keys } = server.seed
    for (const value of [
      otherProjectId,
      otherOrganizationProjectId,
      randomUUID(),
      'no-uuid',
      'a&project_ref_id=b',
    ]) {
      const { data, total } = await list(`?project_ref_id=${value}`, keys.project)
      expect([total, data.map(({ agentId }) => agentId)]).toEqual([1, [agents.project]])
    }
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=abc',
    'page=',
    'page=1e3',
    'page=01',
    'page=99999999999',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=abc',
    'limit=+5',
    'limit=5&limit=6',
    'status=deleted',
    'status=',
    'status=active&status=draft',
    'project_ref_id=abc',
    'project_ref_id=',
  ])('400 validation_error: %s', async (query) => {
    const answer = await server.call(`GET /api/v1/agents?${query}`)
    expect(error(answer)).toEqual([400, 'validation_error'])
    expect((answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      query.split('=')[0],
    ])
  })

  test('400 names every failure at once', async () => {
    const { body } = await server.call('GET /api/v1/agents?page=0&limit=500&status=x')
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted()).toEqual([
      'limit',
      'page',
      'status',
    ])
  })

  test('422 project_not_found: an unknown project and one of another organization', async () => {
    for (const id of [randomUUID(), server.seed.otherOrganizationProjectId]) {
      expect(error(await server.call(`GET /api/v1/agents?project_ref_id=${id}`))).toEqual([
        422,
        'project_not_found',
      ])
    }
  })
})

describe('GET /agents/llm-providers', () => {
  const ids = async (key: string) => {
    const { status, body } = await server.call('GET /api/v1/agents/llm-providers', { key })
    expect(status).toBe(200)
    return (body as { data: { id: string }[] }).data.map(({ id }) => id).toSorted()
  }

  test('an organization key sees every connected configuration', async () => {
    const { llm, keys } = server.seed
    expect(await ids(keys.organization)).toEqual([llm.organization, llm.project, llm.otherProject].toSorted())
  })

  test('a project key sees the agents of the organization level and of its project', async () => {
    const { llm, keys } = server.seed
    expect(await ids(keys.project)).toEqual([llm.organization, llm.project].toSorted())
  })

  test('an item has the fields of the contract and no other', async () => {
    const { body } = await server.call('GET /api/v1/agents/llm-providers')
    const item = (body as { data: object[] }).data[0]
    expect(item).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      providerId: 'sandbox',
      status: 'connected',
      availableModels: [
        { modelId: 'sandbox-1', displayName: 'Sandbox 1', contextLength: 128_000, maxOutputTokens: 8_192 },
      ],
    })
  })
})
