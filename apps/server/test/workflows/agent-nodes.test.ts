import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const outputSchema = {
  type: 'object',
  properties: {
    urgent: { type: 'boolean' },
    score: { type: 'integer', minimum: 3 },
    team: { enum: ['billing', 'shipping'] },
  },
  required: ['urgent', 'score', 'team'],
}

/** Runs one AI Agent node, and a node that reads its output, over the API. */
async function runAgent(config: object, message: string) {
  const { organizationId, agents } = server.seed
  const agentNode = { agentId: agents.organization, message: '{{ trigger.text }}', ...config }
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      node('agent', 'ai-agent', agentNode),
      node('after', 'edit-fields', { rows: [{ name: 'is', value: '{{ upstream.agent.output }}' }] }),
    ],
    edges: [edge('start', 'agent'), edge('agent', 'after')],
  }
  const id = await seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
  const answer = await server.call(`POST /api/v1/workflows/${id}/run`, { body: { input: { text: message } } })
  return answer.body as { executionId: string; status: string; output: unknown; error: string | null }
}

test('an agent with a schema returns parsed JSON: with the sandbox, the smallest valid value', async () => {
  const run = await runAgent({ outputSchema }, 'Where is my shipping label?')
  expect(run).toMatchObject({
    status: 'completed',
    output: { is: { urgent: true, score: 3, team: 'shipping' } },
  })
})

async function nodesOf(executionId: string) {
  const { body } = await server.call(`GET /api/v1/workflow-jobs/${executionId}/nodes`)
  return (body as { data: object[] }).data
}

const WRONG = '{"urgent": true, "score": 1, "team": "billing"}'

test('a reply that does not follow the schema is repaired once, and both are paid for', async () => {
  const run = await runAgent({ outputSchema }, `[[reply: ${WRONG}]] [[usage: 1000/500]]`)
  expect(run).toMatchObject({ status: 'completed', output: { is: { score: 3 } } })
  const agent = (await nodesOf(run.executionId))[1] as { inputTokens: number; outputTokens: number }
  expect(agent).toMatchObject({ nodeId: 'agent', status: 'completed', output: { score: 3 } })
  expect(agent.inputTokens).toBeGreaterThan(1000)
  expect(agent.outputTokens).toBeGreaterThan(500)
})

test('an agent that never follows the schema fails the node, which names the path', async () => {
  const config = { instructions: `[[reply: ${WRONG}]] [[usage: 7/3]]` }
  const created = await server.call('POST /api/v1/agents', { body: { name: 'Stubborn', config } })
  const { agentId } = created.body as { agentId: string }
  const run = await runAgent({ agentId, outputSchema }, 'Hello')
  expect(run).toMatchObject({
    status: 'failed',
    output: null,
    error: 'Node agent ("agent") failed: The answer does not follow the output schema: score must be >= 3.',
  })
  const usage = { inputTokens: 14, outputTokens: 6 }
  expect((await nodesOf(run.executionId)).at(-1)).toMatchObject({
    nodeId: 'agent',
    status: 'failed',
    ...usage,
  })
})

test('a tool context over its limits fails the node before the agent runs', async () => {
  const run = await runAgent({ toolContext: { '1a': '{{ trigger.text }}' } }, 'x')
  expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('tool_context.1a must be') })
})

test.for([
  ['I was charged two times and want my money back', 'a'],
  ['The screen stays black after the update', 'b'],
  ['It is about some other thing', 'other'],
])('the sandbox assigns %j to the class %j by names and descriptions', async ([text, id]) => {
  const { organizationId } = server.seed
  const classes = [
    { id: 'a', name: 'Billing', description: 'invoices, charged twice, money back' },
    { id: 'b', name: 'Black screen', description: 'the device does not show a picture' },
  ]
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      node('file', 'classify', { text: '{{ trigger.text }}', classes, includeOther: true }),
    ],
    edges: [edge('start', 'file')],
  }
  const workflowId = await seedWorkflow(server.context.database, { organizationId, projectId: null, graph })
  const run = await server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input: { text } } })
  expect(run.body).toMatchObject({ status: 'completed', output: { categoryId: id } })
})
