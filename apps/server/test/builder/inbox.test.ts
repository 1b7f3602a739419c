import { type ProjectId, propertyOf } from '@troupe/contract'
import { REVIEW_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let owner: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

interface InboxPage {
  data: { title?: string; workflowName?: string; toolName?: string; approvalId?: string }[]
  total: number
  next: string | null
}

async function page(list: string, query: string): Promise<InboxPage> {
  const { status, body } = await owner.send(`GET /${list}?${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as InboxPage
}

/** Every row, page by page, and the number of rows of each page. */
async function whole(list: string, query: string): Promise<{ rows: InboxPage['data']; sizes: number[] }> {
  const rows: InboxPage['data'] = []
  const sizes: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const found: InboxPage = await page(list, `${query}${after === '' ? '' : `&after=${after}`}`)
    rows.push(...found.data)
    sizes.push(found.data.length)
    after = found.next
  }
  return { rows, sizes }
}

/** Starts a workflow that opens a review. */
async function ask(title: string, hours: number | null, projectId: ProjectId | null = null): Promise<void> {
  const { organizationId, keys } = server.seed
  const node = {
    ...REVIEW_GRAPH.nodes[1],
    config: { title, ...(hours && { timeout: { after: hours, unit: 'hours' } }) },
  }
  const graph = { ...REVIEW_GRAPH, nodes: [REVIEW_GRAPH.nodes[0], node] }
  const workflowId = await seedWorkflow(server.context.database, {
    organizationId,
    projectId,
    name: title,
    graph,
  })
  const started = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
    key: keys.organization,
    body: { input: {} },
  })
  expect([started.status, started.body]).toEqual([202, expect.anything()])
}

test('reviews are paged by the nearest deadline while some of them are decided', async () => {
  for (const [title, hours] of [
    ['Never A', null],
    ['In a week', 168],
    ['Soon', 1],
    ['Never B', null],
    ['Tomorrow', 24],
  ] as const) {
    await ask(title, hours)
    const found = () => page('reviews', `decided=false&limit=100`)
    await expect.poll(async () => (await found()).data.map((row) => row.title)).toContain(title)
  }
  const query = 'decided=false&sort=expiresAt&limit=2'
  const titles = (rows: InboxPage['data']) => rows.map(({ title }) => title)
  const { rows, sizes } = await whole('reviews', query)
  expect(titles(rows)).toEqual(['Soon', 'Tomorrow', 'In a week', 'Never A', 'Never B'])
  expect(sizes).toEqual([2, 2, 1])

  const first = await page('reviews', query)
  const id = propertyOf(first.data[1], 'reviewId')
  const revision = propertyOf((await owner.send(`GET /reviews/${id}`)).body, 'revision')
  const decided = await owner.send(`POST /reviews/${id}/decision`, { decision: 'approve', revision })
  expect(decided.status).toBe(200)
  // The next page starts after a review that was decided in the meantime.
  expect(titles((await page('reviews', `${query}&after=${first.next}`)).data)).toEqual([
    'In a week',
    'Never A',
  ])
  expect(titles((await whole('reviews', 'limit=2')).rows)).toEqual([
    ...['Tomorrow', 'Never B', 'Soon', 'In a week', 'Never A'],
  ])
})

test('approvals are paged in both orders', async () => {
  const tools = [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }]
  const config = { instructions: '[[tool: calculator {"expression": "1+1"}]]', tools }
  const made = await server.call('POST /api/v1/agents', { body: { name: 'Careful', config } })
  const pending = () => page('approvals', 'decided=false&limit=100')
  for (const count of [1, 2, 3]) {
    await server.call(`POST /api/v1/agents/${propertyOf(made.body, 'agentId')}/run-async`, {
      body: { message: 'hi' },
    })
    await expect.poll(async () => (await pending()).total).toBe(count)
  }
  const ids = (rows: InboxPage['data']) => rows.map(({ approvalId }) => approvalId)
  const newest = ids((await pending()).data)
  expect(ids((await whole('approvals', 'decided=false&limit=1')).rows)).toEqual(newest)
  expect(ids((await whole('approvals', 'decided=false&limit=2&sort=expiresAt')).rows)).toEqual(
    newest.toReversed(),
  )
})

test('a project filters both lists', async () => {
  const { projectId } = server.seed
  await ask('Of the project', 2, projectId)
  const ofProject = () => page('reviews', `decided=false&projectId=${projectId}`)
  await expect
    .poll(async () => (await ofProject()).data.map(({ title }) => title))
    .toEqual(['Of the project'])
  expect((await page('approvals', `projectId=${projectId}`)).total).toBe(0)
  const { status } = await owner.send('GET /reviews?projectId=none')
  expect(status).toBe(400)
})
