import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function workflow(graph: unknown): Promise<string> {
  const { organizationId } = server.seed
  return seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
}

const GREETING = {
  nodes: [
    node('start', 'manual-trigger'),
    node('shape', 'edit-fields', { rows: [{ name: 'who', value: '{{ trigger.name }}' }] }),
    node('adult', 'if-else', { conditions: [{ left: '{{ trigger.age }}', op: 'gte', right: 18 }] }),
    node('hello', 'edit-fields', {
      rows: [{ name: 'text', value: 'Hello {{ upstream.shape.output.who }}' }],
    }),
    node('hi', 'edit-fields', { rows: [{ name: 'text', value: 'Hi {{ upstream.shape.output.who }}' }] }),
  ],
  edges: [
    edge('start', 'shape'),
    edge('shape', 'adult'),
    edge('adult', 'hello', 'true'),
    edge('adult', 'hi', 'false'),
  ],
}

test('a graph of pure nodes returns the output of the taken branch', async () => {
  const id = await workflow(GREETING)
  const run = (input: object) => server.call(`POST /api/v1/workflows/${id}/run`, { body: { input } })
  expect(await run({ name: 'Ana', age: 40 })).toMatchObject({
    status: 200,
    body: { workflowId: id, status: 'completed', output: { text: 'Hello Ana' }, error: null },
  })
  expect(await run({ name: 'Ben', age: 7 })).toMatchObject({ body: { output: { text: 'Hi Ben' } } })
})

test('an asynchronous run is queued, polled and reported node by node', async () => {
  const id = await workflow(GREETING)
  const accepted = await server.call(`POST /api/v1/workflows/${id}/run-async`, {
    body: { input: { name: 'Ana', age: 40 } },
  })
  expect(accepted.status).toBe(202)
  const { executionId, ...rest } = accepted.body as { executionId: string }
  expect(rest).toEqual({ workflowId: id, status: 'queued', createdAt: expect.any(Number) })
  const job = () => server.call(`GET /api/v1/workflow-jobs/${executionId}`)
  await expect.poll(async () => ((await job()).body as { status: string }).status).toBe('completed')
  expect(await server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)).toMatchObject({
    status: 200,
    body: { executionId, status: 'completed', output: { text: 'Hello Ana' }, error: null },
  })
  const nodes = (await server.call(`GET /api/v1/workflow-jobs/${executionId}/nodes`)).body as {
    data: { nodeId: string; status: string }[]
  }
  expect(nodes.data.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
    'start completed',
    'shape completed',
    'adult completed',
    'hello completed',
  ])
})

test('agents answer within workflows, in parallel branches that a join waits for', async () => {
  const { agents } = server.seed
  const agent = (id: string) =>
    node(id, 'ai-agent', { agentId: agents.organization, message: `${id}: {{ trigger.q }}` })
  const id = await workflow({
    nodes: [
      node('start', 'manual-trigger'),
      agent('left'),
      agent('right'),
      node('join', 'edit-fields', {
        rows: [
          { name: 'left', value: '{{ upstream.left.output }}' },
          { name: 'right', value: '{{ upstream.right.output }}' },
        ],
      }),
    ],
    edges: [edge('start', 'left'), edge('start', 'right'), edge('left', 'join'), edge('right', 'join')],
  })
  const run = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: { q: 'why?' } } })
  expect(run.body).toMatchObject({
    status: 'completed',
    output: {
      left: '[sandbox] Organization agent: left: why?',
      right: '[sandbox] Organization agent: right: why?',
    },
  })
})

test('a loop returns a list, and stops at its ceiling with the results so far', async () => {
  const loop = {
    nodes: [
      node('start', 'manual-trigger'),
      node('each', 'loop', { mode: 'count', count: '{{ trigger.n }}' }),
      node('double', 'edit-fields', { rows: [{ name: 'i', value: '{{ loop.index }}' }] }, 'each'),
    ],
    edges: [edge('start', 'each'), edge('each', 'double', 'body')],
  }
  const id = await workflow(loop)
  const run = async (n: number) =>
    (await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: { n } } })).body
  expect(await run(3)).toMatchObject({ status: 'completed', output: [{ i: 0 }, { i: 1 }, { i: 2 }] })
  const limited = (await run(101)) as { status: string; output: unknown[]; error: unknown }
  expect([limited.status, limited.output.length, limited.error]).toEqual(['loop_limit_reached', 100, null])
})

test('a failing node names itself in the error of the run', async () => {
  const id = await workflow({
    nodes: [
      node('start', 'manual-trigger'),
      node('shape', 'edit-fields', { rows: [{ name: 'x', value: '{{ trigger.titel }}' }] }),
    ],
    edges: [edge('start', 'shape')],
  })
  const run = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: { title: 'T' } } })
  expect(run.body).toMatchObject({ status: 'failed', output: null })
  expect((run.body as { error: string }).error).toMatch(/^Node shape \("shape"\) failed: row "x": .*titel/)
})

test('starts beyond the concurrency limit of the process wait in order, and all of them end', async () => {
  await using small = await startTestServer({ env: { TROUPE_WORKER_CONCURRENCY: '2' } })
  const { organizationId } = small.seed
  const id = await seedWorkflow(small.context.database, { organizationId, projectId: null })
  const started = await Promise.all(
    Array.from({ length: 15 }, () => small.call(`POST /api/v1/workflows/${id}/run-async`, { body: {} })),
  )
  expect(started.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 202))
  const statuses = async () => {
    const ids = started.map(({ body }) => (body as { executionId: string }).executionId)
    const jobs = await Promise.all(ids.map((one) => small.call(`GET /api/v1/workflow-jobs/${one}`)))
    return new Set(jobs.map(({ body }) => (body as { status: string }).status))
  }
  await expect.poll(statuses, { timeout: 10_000 }).toEqual(new Set(['completed']))
})
