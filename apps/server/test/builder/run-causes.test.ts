import type { OrganizationId } from '@troupe/contract'
import type { HomeView, ListedRun, RunCause } from '@troupe/contract/builder'
import { ECHO_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'

interface Causes {
  data: RunCause[]
  grouped: number
  isCut: boolean
}

let server: TestServer
let viewer: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  viewer = await asMember(server, 'viewer')
  const { organizationId, otherOrganizationId, agents, keys } = server.seed
  await failWorkflow('Broken', { organizationId, key: keys.organization, field: 'missing', times: 3 })
  await failWorkflow('Torn', { organizationId, key: keys.organization, field: 'absent', times: 1 })
  await failWorkflow('Theirs', {
    organizationId: otherOrganizationId,
    key: keys.otherOrganization,
    ...{ field: 'missing', times: 1 },
  })
  for (const [status, tag] of [
    [500, 'red'],
    [502, 'blue'],
  ] as const) {
    await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
      body: { message: `[[fail: ${status}]]`, tag },
    })
  }
  await server.call(`POST /api/v1/agents/${agents.organization}/run`, { body: { message: 'Hello' } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Runs a new workflow whose only node lacks a field of its input. */
async function failWorkflow(
  name: string,
  {
    organizationId,
    key,
    field,
    times,
  }: { organizationId: OrganizationId; key: string; field: string; times: number },
): Promise<void> {
  const config = { rows: [{ name: 'x', op: 'set', value: `{{ trigger.${field} }}` }] }
  const set = { id: 'set', type: 'variable', name: 'Set', position: { x: 1, y: 0 }, config }
  const edges = [{ id: 'e', source: 'start', sourceHandle: 'out', target: 'set' }]
  const graph = { nodes: [...ECHO_GRAPH.nodes, set], edges }
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null, name, graph })
  for (let count = 0; count < times; count += 1) {
    await server.call(`POST /api/v1/workflows/${id}/run`, { key, body: {} })
  }
}

async function read<T>(path: string): Promise<T> {
  const { status, body } = await viewer.send(`GET ${path}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as T
}
const causesOf = (query: string) => read<Causes>(`/run-causes?${query}`)
const runsOf = (query: Record<string, string>) =>
  read<{ data: ListedRun[] }>(`/runs?${new URLSearchParams(query)}`).then(({ data }) => data)

describe('GET /run-causes', () => {
  test('groups failures of the organization by source and reason, ignoring numbers, the most frequent first', async () => {
    const { data, grouped, isCut } = await causesOf('')
    expect({ grouped, isCut }).toEqual({ grouped: 6, isCut: false })
    expect(data.map(({ kind, entity, count }) => [kind, entity.name, count])).toEqual([
      ['workflow', 'Broken', 3],
      ['agent', expect.any(String), 2],
      ['workflow', 'Torn', 1],
    ])
    expect(data.every(({ cause }) => cause !== '' && !/\d/.test(cause))).toBe(true)
  })

  test('a cause selects all of its runs, newest first, with and without a status', async () => {
    for (const { entity, cause, count, lastRunId } of (await causesOf('status=failed,timeout')).data) {
      const found = await runsOf({ entityId: entity.id, cause })
      expect(found).toHaveLength(count)
      expect(found[0]?.runId).toBe(lastRunId)
      expect(found.every(({ error }) => error !== null)).toBe(true)
      expect(await runsOf({ status: 'failed', cause })).toEqual(found)
      expect((await causesOf(`${new URLSearchParams({ cause })}`)).grouped).toBe(count)
    }
  })

  test('has the filters of the list, and is empty without possible failures', async () => {
    expect((await causesOf('kind=agent')).data).toMatchObject([{ kind: 'agent', count: 2 }])
    expect((await causesOf('tag=red')).data).toMatchObject([{ kind: 'agent', count: 1 }])
    for (const query of ['status=completed', 'kind=team', 'to=1000', 'cause=', 'cause=%00%27--']) {
      expect([query, await causesOf(query)]).toEqual([query, { data: [], grouped: 0, isCut: false }])
    }
    const tooLong = await viewer.send(`GET /run-causes?cause=${'x'.repeat(401)}`)
    expect([tooLong.status, tooLong.body]).toMatchObject([400, { errors: [{ path: 'cause' }] }])
  })

  test('Home names the same causes, so that it can link to their runs', async () => {
    const { failures } = await read<HomeView>('/home')
    const named = (one: { entity: { id: string }; cause: string; count: number }) => [
      one.entity.id,
      one.cause,
      one.count,
    ]
    expect(failures.map(named)).toEqual((await causesOf('')).data.map(named))
  })
})
