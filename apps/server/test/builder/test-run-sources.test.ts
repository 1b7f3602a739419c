import { checkedId, propertyOf, WorkflowRunId } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'
import { publishWorkflow, startWorkflow } from './started-workflow.ts'

let server: TestServer
let eva: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
})
afterAll(() => server[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const LATER = 40 * 24 * 3_600_000

async function ended(runId: string): Promise<unknown> {
  const detail = async () => (await eva.send(`GET /runs/${runId}`)).body
  await expect.poll(async () => propertyOf(await detail(), 'completedAt'), { timeout: 60_000 }).not.toBeNull()
  return detail()
}

const agent = (id: string, message: string, parentId?: string) =>
  node(id, 'ai-agent', { agentId: server.seed.agents.organization, message }, parentId)
const fields = (id: string, value: string) => node(id, 'edit-fields', { rows: [{ name: 'v', value }] })

/** A workflow with a run that has ended, and the start of a test of its last step. */
async function sourceOf(name: string, graph: { nodes: object[]; edges: object[] }, payload: object = {}) {
  const workflowId = await publishWorkflow(server, name, graph)
  const fromRunId = await startWorkflow(server, workflowId, payload)
  const source = await ended(fromRunId)
  const draftRevision = propertyOf((await eva.send(`GET /workflows/${workflowId}`)).body, 'draftRevision')
  const body = { draftRevision, scope: { kind: 'only', nodeId: 'last' }, seeds: { fromRunId } }
  return { workflowId, fromRunId, source, body, path: `/workflows/${workflowId}/test-runs` }
}

test('a source that is erased between the plan and the start starts nothing, and returns the reason', async () => {
  const { path, body, workflowId } = await sourceOf('Erased meanwhile', {
    nodes: [
      node('start', 'manual-trigger'),
      agent('ask', 'Hello'),
      fields('last', '{{ upstream.ask.output }}'),
    ],
    edges: [edge('start', 'ask'), edge('ask', 'last')],
  })
  const { database } = server.context
  const read = database.observed.testSource.bind(database.observed)
  // The moment after the start has read its source, and before it copies it.
  vi.spyOn(database.observed, 'testSource').mockImplementation(async (...args) => {
    const found = await read(...args)
    await database.workflowRuns.sweepExpired(Date.now() + LATER)
    return found
  })
  const tests = async () =>
    propertyOf((await eva.send(`GET /runs?test=true&entityId=${workflowId}`)).body, 'data')
  expect(await eva.send(`POST ${path}`, body)).toMatchObject({
    status: 422,
    body: { error: 'seed_missing', message: expect.stringMatching(/was erased.*Nothing was started/) },
  })
  expect(await tests()).toEqual([])
  // A new plan reports the missing result, which can then be entered.
  const plan = await eva.send(`POST ${path}/plan`, body)
  expect(plan.body).toMatchObject({
    source: { gone: expect.stringContaining('Retention has erased') },
    missing: [{ nodeId: 'ask', certain: true }],
  })
  const values = [{ nodeId: 'ask', output: 'typed' }]
  const started = await eva.send(`POST ${path}`, { ...body, seeds: { ...body.seeds, values } })
  expect(started.status).toBe(202)
  const run = await ended(String(propertyOf(started.body, 'executionId')))
  expect(run).toMatchObject({ status: 'completed', workflowRun: { output: { v: 'typed' } } })
})

test('a source of the max size of a run is copied completely', async () => {
  // A Loop whose body has an effect is copied completely, with 3.6 MB of the 4 MB limit of a step. The run also stores the step in
  // it: six Loops are 43 MB of the 50 MB limit of a run, and 21.6 MB of seeds.
  const loops = Array.from({ length: 6 }, (_, at) => `each${at}`)
  const rows = Array.from({ length: 4 }, (_, at) => ({ name: `r${at}`, value: '{{ trigger.text }}' }))
  const { path, body, source } = await sourceOf(
    'Large',
    {
      nodes: [
        node('start', 'manual-trigger'),
        ...loops.flatMap((id) => [
          node(id, 'loop', { mode: 'list', source: ['once'] }),
          agent(`ask-${id}`, 'Hello', id),
          node(`heavy-${id}`, 'edit-fields', { rows }, id),
        ]),
        fields('last', '{{ upstream.each5.output.0.r3 }}'),
      ],
      edges: loops.flatMap((id) => [
        edge('start', id),
        edge(id, `ask-${id}`, 'body'),
        edge(`ask-${id}`, `heavy-${id}`),
        edge(id, 'last', 'done'),
      ]),
    },
    { text: 'x'.repeat(900_000) },
  )
  expect(source).toMatchObject({ status: 'completed', error: null })
  const plan = await eva.send(`POST ${path}/plan`, body)
  const seeded = loops.map((nodeId) => ({ nodeId, origin: 'run' }))
  expect(plan.body).toMatchObject({ missing: [], findings: [], seeded })
  const started = await eva.send(`POST ${path}`, body)
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  const runId = checkedId(WorkflowRunId, String(propertyOf(started.body, 'executionId')))
  expect(await ended(runId)).toMatchObject({ status: 'completed', error: null })
  const seeds = await server.context.database.observed.testSource(server.seed.organizationId, runId, [''])
  expect(seeds?.steps.filter(({ nodeId }) => loops.includes(nodeId))).toHaveLength(6)
})

test('a branch chosen for a test is in its step’s output, with the rest of the source’s result', async () => {
  const { path, body } = await sourceOf(
    'Other way',
    {
      nodes: [
        node('start', 'manual-trigger'),
        node('check', 'if-else', {
          match: 'all',
          conditions: [{ left: '{{ trigger.total }}', op: 'gt', right: '10' }],
        }),
        fields('big', '1'),
        fields('last', '{{ upstream.check.output.branch }}'),
      ],
      edges: [edge('start', 'check'), edge('check', 'big', 'true'), edge('check', 'last', 'false')],
    },
    { total: 20 },
  )
  const seeds = { ...body.seeds, values: [{ nodeId: 'check', handles: ['false'] }] }
  const started = await eva.send(`POST ${path}`, { ...body, seeds })
  expect(started.status).toBe(202)
  const run = await ended(String(propertyOf(started.body, 'executionId')))
  expect(run).toMatchObject({ status: 'completed', workflowRun: { output: { v: 'false' } } })
  // Without a source, an If / Else needs only its branch.
  const alone = await eva.send(`POST ${path}/plan`, { ...body, seeds: { values: seeds.values } })
  expect(alone.body).toMatchObject({ missing: [], forced: [{ nodeId: 'check', handles: ['false'] }] })
})
