import { propertyOf } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOperator } from './builder-caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const call = (target: string) => asOperator(server).send(target)

async function runWorkflow(id: string): Promise<string> {
  const answer = await server.call(`POST /api/v1/workflows/${id}/run-async`, { body: { input: {} } })
  return String(propertyOf(answer.body, 'executionId'))
}

async function ended(runId: string): Promise<void> {
  await expect
    .poll(async () => propertyOf((await call(`GET /runs/${runId}`)).body, 'completedAt'))
    .not.toBeNull()
}

test('the failed nodes of a run are counted, and listed without the others', async () => {
  const { organizationId } = server.seed
  const graph = {
    nodes: [
      { id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} },
      ...['fine', 'missing'].map((id, x) => ({
        ...{ id, type: 'variable', name: id, position: { x, y: 0 } },
        config: { rows: [{ name: id, op: 'set', value: id === 'fine' ? '1' : '{{ trigger.missing }}' }] },
      })),
    ],
    edges: ['fine', 'missing'].map((target, at) => ({
      ...{ id: `e${at}`, target, sourceHandle: 'out' },
      source: at === 0 ? 'start' : 'fine',
    })),
  }
  const runId = await runWorkflow(
    await seedWorkflow(server.context.database, { organizationId, projectId: null, graph }),
  )
  await ended(runId)
  expect((await call(`GET /runs/${runId}`)).body).toMatchObject({
    status: 'failed',
    workflowRun: { nodeCount: 3, failedNodeCount: 1 },
  })
  const failed = await call(`GET /runs/${runId}/nodes?status=failed`)
  expect(failed.body).toMatchObject({ data: [{ nodeId: 'missing', status: 'failed' }], next: null })
  expect((await call(`GET /runs/${runId}/nodes?status=odd`)).status).toBe(400)
})

test('the nodes of a run continue page after page, each once', async () => {
  const { organizationId } = server.seed
  const steps = Array.from({ length: 5 }, (_, n) => `s${n}`)
  const graph = {
    nodes: [
      { id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} },
      ...steps.map((id, n) => ({
        ...{ id, type: 'variable', name: `Set ${id}`, position: { x: n, y: 0 } },
        config: { rows: [{ name: id, op: 'set', value: `${n}` }] },
      })),
    ],
    edges: steps.map((target, n) => ({
      ...{ id: `e${n}`, target, sourceHandle: 'out' },
      source: steps[n - 1] ?? 'start',
    })),
  }
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
  const runId = await runWorkflow(id)
  await ended(runId)
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { body } = await call(
      `GET /runs/${runId}/nodes?limit=2${after && `&after=${encodeURIComponent(after)}`}`,
    )
    const page = body as { data: { nodeId: string }[]; next: string | null }
    seen.push(...page.data.map(({ nodeId }) => nodeId))
    after = page.next
  }
  expect(seen).toEqual(['start', ...steps])
  expect((await call(`GET /runs/${runId}/nodes?after=1/2`)).status).toBe(200)
  expect((await call(`GET /runs/${runId}/nodes?after=x`)).status).toBe(400)
})

test('previews are the first line or one line of JSON, with the size, without secrets, and only of steps with a row', async () => {
  const { organizationId } = server.seed
  const values: [string, string][] = [
    ['lines', 'first line\nsecond line'],
    ['long', 'x'.repeat(5_000)],
    ['huge', 'y'.repeat(40_000)],
    ['secret', `${'.'.repeat(100)} sk-proj-abcdefghijklmnop1234`],
  ]
  const graph = {
    nodes: [
      { id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} },
      ...values.map(([id, value], x) => ({
        ...{ id, type: 'edit-fields', name: id, position: { x, y: 0 } },
        config: { rows: [{ name: 'text', value }] },
      })),
    ],
    edges: values.map(([target], at) => ({
      ...{ id: `e${at}`, target, sourceHandle: 'out' },
      source: values[at - 1]?.[0] ?? 'start',
    })),
  }
  const runId = await runWorkflow(
    await seedWorkflow(server.context.database, { organizationId, projectId: null, graph }),
  )
  await ended(runId)
  const { body } = await call(`GET /runs/${runId}/node-previews?nodes=lines,long,huge,secret,missing`)
  const previews = (
    body as { data: { nodeId: string; preview: string | null; isWhole: boolean; bytes: number }[] }
  ).data
  expect(previews.map(({ nodeId }) => nodeId)).toEqual(['lines', 'long', 'huge', 'secret'])
  const [lines, long, huge, secret] = previews
  expect(lines).toMatchObject({ preview: '{"text":"first line\\nsecond line"}', isWhole: true })
  expect(long?.isWhole).toBe(false)
  expect(long?.preview?.length).toBeLessThanOrEqual(120)
  expect(long?.bytes).toBeGreaterThan(5_000)
  expect(huge).toMatchObject({ preview: null, isWhole: false })
  expect(huge?.bytes).toBeGreaterThan(40_000)
  expect(JSON.stringify(secret)).not.toContain('sk-proj')
  for (const nodes of ['', 'a b', Array(33).fill('a').join(',')]) {
    expect((await call(`GET /runs/${runId}/node-previews?nodes=${encodeURIComponent(nodes)}`)).status).toBe(
      400,
    )
  }
  expect((await call(`GET /runs/${crypto.randomUUID()}/node-previews?nodes=a`)).status).toBe(404)
})
