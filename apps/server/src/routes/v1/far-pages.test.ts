import { OPERATIONS, type Operation, propertyOf } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let ids: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  const { organizationId } = server.seed
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null })
  const run = await server.call(`POST /api/v1/workflows/${id}/run`, { body: {} })
  const base = await server.call('POST /api/v1/knowledge-bases', { body: { name: 'Empty' } })
  const talk = await server.call(`POST /api/v1/agents/${server.seed.agents.organization}/run`, {
    body: { message: 'Hello.' },
  })
  ids = {
    sessionId: String(propertyOf(talk.body, 'sessionId')),
    ...(run.body as { executionId: string }),
    ...(base.body as { knowledgeBaseId: string }),
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const OPERATIONS_OF_THE_API: Operation[] = Object.values(OPERATIONS)
const LISTS = OPERATIONS_OF_THE_API.flatMap(({ query, path }) =>
  query && 'page' in query.properties ? [path] : [],
)

test('there are lists with pages', () => {
  expect(LISTS.length).toBeGreaterThanOrEqual(4)
})

test.each(LISTS)('%s has an empty page beyond its end', async (path) => {
  const address = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? ids.executionId ?? '')
  for (const [page, limit] of [
    [107_374_184, 20],
    [999_999_999, 20],
    [1_000_000_000, 100],
  ]) {
    expect(await server.call(`GET ${address}?page=${page}&limit=${limit}`)).toMatchObject({
      status: 200,
      body: { data: [] },
    })
  }
  expect((await server.call(`GET ${address}?page=1000000001`)).status).toBe(400)
})
