import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

interface Told {
  nodeId: string
  status: string
  output: unknown
  error: string | null
}

/** Runs a graph over the API: its outcome, its trace and the stored inputs. */
async function traced(graph: object, input: object) {
  const { organizationId } = server.seed
  const { database } = server.context
  const id = await seedWorkflow(database, { organizationId, projectId: null, graph })
  const { body } = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input } })
  const run = body as { executionId: string; status: string; output: unknown; error: string | null }
  const { data } = (await server.call(`GET /api/v1/workflow-jobs/${run.executionId}/nodes`)).body as {
    data: Told[]
  }
  const scope = { organizationId, projectId: null }
  const stored = await database.workflowRuns.nodes(scope, run.executionId as never, { page: 1, limit: 100 })
  const inputs = Object.fromEntries((stored?.rows ?? []).map((row) => [row.nodeId, row.input]))
  return { run, nodes: Object.fromEntries(data.map((told) => [told.nodeId, told])), inputs }
}

const KEY = 'sk-live-abcdefghijklmnopqrstuvwx'

test('the trace shows no secret, and nodes compute with the real value', async () => {
  const fields = [
    { name: 'pin', type: 'password', label: 'PIN' },
    { name: 'name', type: 'text', label: 'Name' },
  ]
  const graph = {
    nodes: [
      node('form', 'form-trigger', { title: 'Sign up', fields }),
      node('shape', 'edit-fields', {
        rows: [
          { name: 'said', value: '{{ trigger.name }} has {{ trigger.pin }} and {{ trigger.key }}' },
          { name: 'apiKey', value: '{{ trigger.key }}' },
        ],
      }),
      node('agent', 'ai-agent', {
        agentId: server.seed.agents.organization,
        message: '{{ upstream.shape.output.said }}',
      }),
      node('same', 'if-else', {
        conditions: [{ left: '{{ upstream.shape.output.apiKey }}', op: 'eq', right: KEY }],
      }),
      node('end', 'edit-fields', { rows: [{ name: 'key', value: '{{ trigger.key }}' }] }),
    ],
    edges: [
      edge('form', 'shape'),
      edge('shape', 'agent'),
      edge('agent', 'same'),
      edge('same', 'end', 'true'),
    ],
  }
  const { run, nodes, inputs } = await traced(graph, { name: 'Ana', pin: 'hunter2', key: KEY })
  expect(run).toMatchObject({ status: 'completed', output: { key: KEY } })
  expect(nodes.form?.output).toEqual({ name: 'Ana', pin: '[redacted]', key: '[redacted]' })
  expect(nodes.shape?.output).toEqual({ said: 'Ana has [redacted] and [redacted]', apiKey: '[redacted]' })
  expect(nodes.agent?.output).toBe('[sandbox] Organization agent: Ana has [redacted] and [redacted]')
  expect(inputs.agent).toMatchObject({ message: 'Ana has [redacted] and [redacted]' })
  expect(inputs.same).toEqual([{ condition: '1', left: '[redacted]', op: 'eq', right: '[redacted]' }])
  expect(nodes.same?.output).toEqual({ branch: 'true' })
  expect(nodes.same).not.toHaveProperty('input')
})

test('an error of a node reveals no secret in the trace', async () => {
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      node('vote', 'classify', {
        text: '[[reply: {"categoryId":"Bearer abcdefgh12345678"}]]',
        classes: [{ id: 'a', name: 'A' }],
        includeOther: false,
      }),
    ],
    edges: [edge('start', 'vote')],
  }
  const { run, nodes } = await traced(graph, {})
  expect(run.status).toBe('failed')
  expect(nodes.vote?.error).not.toContain('abcdefgh12345678')
})

test('a long output is complete in the result, and truncated in the trace, with a note', async () => {
  const list = Array.from({ length: 900 }, (_, i) => `${i} ${'x'.repeat(1_000)}`)
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      node('n0', 'edit-fields', { rows: [{ name: 'a', value: '{{ trigger.list }}' }] }),
    ],
    edges: [edge('start', 'n0')],
  }
  const { run, nodes } = await traced(graph, { list })
  expect(run.output).toEqual({ a: list })
  const shown = (nodes.n0?.output as { a: string[] }).a
  expect(shown.length).toBeLessThan(70)
  expect(shown.at(-1)).toBe(`[${900 - shown.length + 1} more elements cut]`)
})

test.for<[string, object, RegExp]>([
  [
    'a field of more than 1 MB',
    { rows: [{ name: 'a', value: '{{ trigger.half }}{{ trigger.half }}{{ trigger.half }}' }] },
    /^Node n0 \("n0"\) failed: row "a": .*1 MB/,
  ],
  [
    'an output of more than 4 MB',
    {
      rows: Array.from({ length: 10 }, (_, i) => ({ name: `r${i}`, value: '{{ trigger.half }}' })),
    },
    /^Node n0 \("n0"\) failed: .*4 MB/,
  ],
])('%s fails the run, naming size and limit', async ([, config, error]) => {
  const { organizationId } = server.seed
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('n0', 'edit-fields', config)],
    edges: [edge('start', 'n0')],
  }
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
  const input = { half: 'x'.repeat(500_000) }
  const { body } = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input } })
  expect(body).toMatchObject({ status: 'failed', output: null, error: expect.stringMatching(error) })
})
