import { randomUUID } from 'node:crypto'
import { type ProjectId, propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { type Seed, seedDatabase } from '@troupe/test-kit/seed'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())
// Each test has a separate organization: the usage of one test does not count for the next.
let seed: Seed
beforeEach(async () => {
  seed = await seedDatabase(server.context.database)
})

type Metric = 'llm_tokens' | 'llm_cost_usd' | 'voice_minutes'

const call = (target: string, body?: object) =>
  server.call(target, { key: seed.keys.organization, ...(body && { body }) })

/** Sets a budget of the organization; the function raises or lowers it. */
async function budget(metric: Metric, limit: number, projectId: ProjectId | null = null) {
  const { organizationId } = seed
  const id = randomUUID()
  const put = (units: number) =>
    server.context.database.transaction(({ write }) =>
      write.budgets.put({ id, organizationId, projectId, metric, limitMicros: units * 1e6, period: 'month' }),
    )
  await put(limit)
  return put
}

/** Two agents, one after the other, and a node that reads both. */
async function twoAgents(first: string): Promise<string> {
  const { organizationId, agents } = seed
  const agent = (id: string, message: string) =>
    node(id, 'ai-agent', { agentId: agents.organization, message })
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      agent('first', first),
      agent('second', '[[reply: two]]'),
      node('both', 'edit-fields', {
        rows: [{ name: 'said', value: '{{ upstream.first.output }} {{ upstream.second.output }}' }],
      }),
    ],
    edges: [edge('start', 'first'), edge('first', 'second'), edge('second', 'both')],
  }
  return seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
}

async function start(workflowId: string) {
  const accepted = await call(`POST /api/v1/workflows/${workflowId}/run-async`, {})
  const { executionId } = accepted.body as { executionId: string }
  const at = `/api/v1/workflow-jobs/${executionId}`
  const poll = async () => (await call(`GET ${at}`)).body as { status: string; statusReason: string }
  const becomes = (status: string) => expect.poll(async () => (await poll()).status).toBe(status)
  const nodes = async () => {
    const { data } = (await call(`GET ${at}/nodes`)).body as {
      data: { nodeId: string; status: string; attempts: number }[]
    }
    return data.map(({ nodeId, status, attempts }) => `${nodeId} ${status} ${attempts}`)
  }
  return { at, poll, becomes, nodes }
}

const asOperator = async (target: string, body?: object) => {
  const answer = await server.call(target, {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}` },
    ...(body && { body }),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

const minute = () => server.context.duties.perform('minute')

test('a budget that is used up mid-run pauses the run before its next effect; more room lets it continue', async () => {
  const raise = await budget('llm_tokens', 1_000)
  const run = await start(await twoAgents('[[reply: one]] [[usage: 900/100]]'))
  await run.becomes('paused')
  expect(await run.poll()).toMatchObject({ statusReason: 'budget llm_tokens used up', completedAt: null })
  expect(await run.nodes()).toEqual(['start completed 1', 'first completed 1'])
  await minute()
  expect((await run.poll()).status).toBe('paused')
  await raise(1_001)
  await minute()
  await run.becomes('completed')
  expect(await run.nodes()).toEqual([
    'start completed 1',
    'first completed 1',
    'second completed 1',
    'both completed 1',
  ])
  const result = await call(`GET ${run.at}/result`)
  expect(result.body).toMatchObject({ output: { said: 'one two' } })
})

test('a limit that is raised, or a budget that is deleted, lets the paused runs continue at once', async () => {
  const at = `/api/builder/v1/organizations/${seed.organizationId}/budgets`
  const set = (limit: number) => asOperator(`PUT ${at}`, { metric: 'llm_tokens', limit })
  await set(1_000)
  const run = await start(await twoAgents('[[reply: one]] [[usage: 900/100]]'))
  await run.becomes('paused')
  await set(999)
  expect((await run.poll()).status).toBe('paused')
  await set(100_000)
  await run.becomes('completed')
  const again = await start(await twoAgents('[[reply: one]] [[usage: 100000/0]]'))
  await again.becomes('paused')
  await asOperator(`DELETE ${at}/${propertyOf(await set(100_000), 'budgetId')}`)
  await again.becomes('completed')
})

test('a bundle that raises a limit makes the paused runs due for the next sweep', async () => {
  await budget('llm_tokens', 1_000)
  const run = await start(await twoAgents('[[reply: one]] [[usage: 900/100]]'))
  await run.becomes('paused')
  const { organizations } = server.context.database.read
  const organization = await organizations.byId(seed.organizationId)
  const { slug, name } = organization ?? {}
  const budgets = [{ metric: 'llm_tokens', limit: 100_000 }]
  const bundle = { apiVersion: 'troupe/v1', organizations: [{ slug, name, budgets }] }
  await asOperator('POST /api/builder/bundles', bundle)
  expect((await run.poll()).status).toBe('running')
  await server.context.duties.perform('watchdog')
  await run.becomes('completed')
})

test('a run that is resumed while the budget is used up pauses again; a pause by a person remains', async () => {
  const raise = await budget('llm_tokens', 10)
  const run = await start(await twoAgents('[[reply: one]] [[usage: 10/0]]'))
  await run.becomes('paused')
  expect((await call(`POST ${run.at}/resume`)).body).toMatchObject({ status: 'running' })
  await run.becomes('paused')
  expect((await run.poll()).statusReason).toBe('budget llm_tokens used up')
  expect((await call(`POST ${run.at}/pause`)).body).toMatchObject({ status: 'paused' })
  await raise(1_000_000)
  await minute()
  expect(await run.poll()).toMatchObject({ status: 'paused', statusReason: 'paused by a person' })
  await call(`POST ${run.at}/resume`)
  await run.becomes('completed')
})

test('a synchronous caller is not notified of a pause as an end, and the run continues later', async () => {
  const raise = await budget('llm_tokens', 10)
  const id = await twoAgents('[[reply: one]] [[usage: 10/0]]')
  const { workflowRuns } = server.context.database
  const accept = vi.spyOn(workflowRuns, 'accept')
  const answered = call(`POST /api/v1/workflows/${id}/run`, {})
  await expect.poll(() => accept.mock.calls.length).toBe(1)
  const runId = accept.mock.calls[0]![0].runId
  accept.mockRestore()
  const scope = { organizationId: seed.organizationId, projectId: null }
  await expect.poll(async () => (await workflowRuns.find(scope, runId))?.status).toBe('paused')
  await raise(1_000)
  await minute()
  expect((await answered).body).toMatchObject({ status: 'completed', output: { said: 'one two' } })
})

test('minutes of voice never block or pause a workflow run', async () => {
  await budget('voice_minutes', 0)
  const run = await start(await twoAgents('[[reply: one]] [[usage: 900/100]]'))
  await run.becomes('completed')
})
