import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { conversation, type RunSetting, startRunSetting } from '../runs/model-agent.ts'

let setting: RunSetting
let url: URL
const clients: Client[] = []
const clientWith = async (apiKey: string) => {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${apiKey}` }
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  await client.connect(transport)
  clients.push(client)
  return client
}
const organizationKey = () => setting.server.seed.keys.organization

const EXPOSED = { expose: 'mcp' }
const FORM = {
  expose: 'mcp',
  nodes: [
    {
      id: 'start',
      type: 'http-request',
      name: 'Start',
      config: {
        fields: [
          { name: 'amount', type: 'number', required: true },
          { name: 'note', type: 'string' },
        ],
      },
    },
    {
      id: 'out',
      type: 'edit-fields',
      name: 'Out',
      config: { rows: [{ name: 'doubled', value: '{{ trigger.amount }}' }] },
    },
  ],
  edges: [{ id: 'e', source: 'start', target: 'out' }],
}

beforeAll(async () => {
  setting = await startRunSetting()
  const { app, context, seed } = setting.server
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/mcp`)
  await setting.agent(EXPOSED, { name: 'Order desk!', description: 'Looks orders up.' })
  await setting.agent({}, { name: 'Private desk' })
  await seedTeam(context.database, {
    organizationId: seed.organizationId,
    projectId: null,
    name: 'Crew',
    config: EXPOSED,
  })
  const place = { organizationId: seed.organizationId, projectId: null }
  await seedWorkflow(context.database, { ...place, name: 'Refund', graph: FORM })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await setting[Symbol.asyncDispose]()
})
beforeEach(() => setting.model.reset())

test('exposed agents, teams and workflows are the tools, with their input schemas', async () => {
  const client = await clientWith(organizationKey())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['order_desk', 'crew', 'refund'])
  expect(tools[0]).toMatchObject({
    title: 'Order desk!',
    description: 'Looks orders up.',
    inputSchema: { type: 'object', required: ['message'] },
  })
  expect(tools[2]?.inputSchema).toEqual({
    type: 'object',
    properties: { amount: { type: 'number' }, note: { type: 'string' } },
    required: ['amount'],
  })
  expect((await (await clientWith(setting.server.seed.keys.project)).listTools()).tools).toEqual([])
  expect((await (await clientWith(setting.server.seed.keys.otherOrganization)).listTools()).tools).toEqual([])
})

test('a key of a project has the tools of its project only, and another organization has none', async () => {
  const { context, seed } = setting.server
  const place = { organizationId: seed.organizationId, projectId: seed.projectId }
  const { teamId } = await seedTeam(context.database, { ...place, name: 'Project crew', config: EXPOSED })
  const ofProject = await clientWith(seed.keys.project)
  expect((await ofProject.listTools()).tools.map(({ name }) => name)).toEqual(['project_crew'])
  await expect(ofProject.callTool({ name: 'order_desk', arguments: { message: 'x' } })).rejects.toThrow(
    'Unknown tool',
  )
  expect((await (await clientWith(seed.keys.otherOrganization)).listTools()).tools).toEqual([])
  await setting.server.call(`DELETE /api/v1/teams/${teamId}`)
})

test('a call runs the agent, reports its progress and can continue the conversation', async () => {
  const client = await clientWith(organizationKey())
  setting.model.script('First answer.', 'Second answer.')
  const told: string[] = []
  const first = await client.callTool({ name: 'order_desk', arguments: { message: 'One' } }, undefined, {
    onprogress: ({ message = '' }) => told.push(message),
  })
  expect(first).toMatchObject({ content: [{ type: 'text', text: 'First answer.' }], isError: false })
  expect(told).toEqual(['Started'])
  const { sessionId } = first._meta as { sessionId: string }
  await client.callTool({ name: 'order_desk', arguments: { message: 'Two', session_id: sessionId } })
  expect(conversation(setting.model.requests[1])).toEqual([
    'user: One',
    'assistant: First answer.',
    'user: Two',
  ])
})

test('a call runs the workflow; input refused by its trigger is an error for the model', async () => {
  const client = await clientWith(organizationKey())
  expect(await client.callTool({ name: 'refund', arguments: { amount: 4 } })).toMatchObject({
    content: [{ type: 'text', text: '{"doubled":4}' }],
    isError: false,
  })
  expect(await client.callTool({ name: 'refund', arguments: { amount: 'four' } })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('amount') }],
    isError: true,
  })
})

test('a workflow with steps that read a webhook’s body runs as a tool', async () => {
  const { context, seed } = setting.server
  const [start, out] = FORM.nodes
  const rows = [{ name: 'doubled', value: '{{ trigger.body.amount }}' }]
  const place = { organizationId: seed.organizationId, projectId: seed.projectId }
  const graph = { ...FORM, nodes: [start, { ...out, config: { rows } }] }
  await seedWorkflow(context.database, { ...place, name: 'Hook', graph })
  const client = await clientWith(seed.keys.project)
  expect(await client.callTool({ name: 'hook', arguments: { amount: 4 } })).toMatchObject({
    content: [{ type: 'text', text: '{"doubled":4}' }],
    isError: false,
  })
})

test.each<[string, object[], object]>([
  [
    'Greeter',
    [{ id: 'start', type: 'manual-trigger', name: 'Start', config: { sample: { body: 'Hello' } } }],
    { body: 'Hello' },
  ],
  ['Open hook', [{ id: 'start', type: 'http-request', name: 'Start', config: {} }], { body: { orderId: 7 } }],
])('a body sent by the caller reaches the steps unchanged: %s', async (name, triggers, given) => {
  const { context, seed } = setting.server
  const out = { ...FORM.nodes[1], config: { rows: [{ name: 'body', value: '{{ trigger.body }}' }] } }
  const place = { organizationId: seed.organizationId, projectId: seed.projectId }
  await seedWorkflow(context.database, { ...place, name, graph: { ...FORM, nodes: [...triggers, out] } })
  const client = await clientWith(seed.keys.project)
  const tool = name.toLowerCase().replace(' ', '_')
  expect(await client.callTool({ name: tool, arguments: { ...given } })).toMatchObject({
    content: [{ type: 'text', text: JSON.stringify(given) }],
    isError: false,
  })
})

test('a workflow that is published during its call gets the input of the executed version', async () => {
  const { context, seed } = setting.server
  const { organizationId } = seed
  const [start, out] = FORM.nodes
  const graph = (token: string) => {
    const rows = [{ name: 'doubled', value: `{{ ${token} }}` }]
    return { ...FORM, nodes: [start, { ...out, config: { rows } }] }
  }
  const place = { organizationId, projectId: seed.projectId }
  const id = await seedWorkflow(context.database, {
    ...place,
    name: 'Moving',
    graph: graph('trigger.amount'),
  })
  vi.spyOn(context.workflows.graphs, 'compiled').mockImplementationOnce(async (...version) => {
    await context.database.transaction(({ write }) =>
      write.workflows.publish({
        organizationId,
        id,
        graph: graph('trigger.body.amount'),
        resources: [],
        createdBy: { kind: 'system', id: null, ip: null, requestId: null },
      }),
    )
    return context.workflows.graphs.compiled(...version)
  })
  const client = await clientWith(seed.keys.project)
  expect(await client.callTool({ name: 'moving', arguments: { amount: 4 } })).toMatchObject({
    content: [{ type: 'text', text: '{"doubled":4}' }],
    isError: false,
  })
})

test('a team answers as a tool', async () => {
  const client = await clientWith(organizationKey())
  const { content } = await client.callTool({ name: 'crew', arguments: { message: 'Hi' } })
  expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\S/) }])
})

test('a failed run and invalid arguments are errors for the model', async () => {
  const client = await clientWith(organizationKey())
  setting.model.respond(() => ({ status: 400 }))
  expect(await client.callTool({ name: 'order_desk', arguments: { message: 'x' } })).toMatchObject({
    isError: true,
  })
  const wrong = await client.callTool({ name: 'order_desk', arguments: { message: '' } })
  expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('message') }] })
})

test.each(['private_desk', 'nothing'])('a tool unavailable to the key is unknown: %s', async (name) => {
  const client = await clientWith(organizationKey())
  await expect(client.callTool({ name, arguments: { message: 'x' } })).rejects.toMatchObject({
    code: -32_602,
  })
})

test('a client that cancels its call stops the run', async () => {
  const client = await clientWith(organizationKey())
  setting.model.script({ text: 'One two', chunks: 2, hang: 'stream' })
  const cancelled = new AbortController()
  const call = client.callTool({ name: 'order_desk', arguments: { message: 'x' } }, undefined, {
    signal: cancelled.signal,
  })
  call.catch(() => {})
  await expect.poll(() => setting.model.requests.length).toBe(1)
  cancelled.abort()
  await expect(call).rejects.toThrow()
  expect(await setting.model.requests[0]?.aborted).toBeGreaterThan(0)
})

test('a client of the same key with the same request ids does not stop another client’s call', async () => {
  const [one, other] = [await clientWith(organizationKey()), await clientWith(organizationKey())]
  setting.model.script({ text: 'Done.', firstTokenDelayMs: 500 })
  const call = one.callTool({ name: 'order_desk', arguments: { message: 'x' } })
  await expect.poll(() => setting.model.requests.length).toBe(1)
  for (let requestId = 0; requestId < 5; requestId += 1) {
    await other.notification({ method: 'notifications/cancelled', params: { requestId } })
  }
  expect(await call).toMatchObject({ content: [{ text: 'Done.' }], isError: false })
})

const headers = () => ({
  authorization: `Bearer ${organizationKey()}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
})
const post = (body: string, more: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...headers(), ...more }, body })
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test.each<[string, string, number]>([
  ['no JSON', '{', 400],
  ['no message', '{}', 400],
  ['no object', '7', 400],
  ['a batch', JSON.stringify([listing, listing]), 400],
  ['too large a body', JSON.stringify({ ...listing, params: { a: 'a'.repeat(1_100_000) } }), 413],
])('%s is refused, and the server continues', async (_name, body, status) => {
  expect((await post(body)).status).toBe(status)
  expect((await post(JSON.stringify(listing))).status).toBe(200)
})

test('keys are bearer tokens, and the limits of the key apply', async () => {
  const wrong = await post(JSON.stringify(listing), { authorization: 'Bearer wrong' })
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const limited = { authorization: `Bearer ${setting.server.seed.keys.limited}` }
  const statuses: number[] = []
  for (let n = 0; n < 4; n += 1) statuses.push((await post(JSON.stringify(listing), limited)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await post(JSON.stringify(listing))).headers.get('x-ratelimit-limit')).toBe('100000')
})

test.for([
  ['tools/call', undefined, 'params: '],
  ['tools/call', { name: 1 }, 'params.name: '],
  ['tools/list', { cursor: 1 }, 'params.cursor: '],
  ['initialize', {}, 'params.protocolVersion: '],
] as const)('%s with the parameters %j is refused as invalid', async ([method, params, path]) => {
  const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { id: 7, error: { code: -32602, message: expect.stringContaining(`Invalid params: ${path}`) } },
  ])
})

test('a stream requires a call', async () => {
  const answer = await fetch(url, { headers: headers() })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
})

test('the exposure of a configuration is checked when it is saved', async () => {
  const answer = await setting.server.call('POST /api/v1/agents', {
    body: { name: 'Ada', config: { expose: 'web' } },
  })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'config.expose' }] } })
})

// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
test.each([
  ['https://evil.example.com', 403],
  ['http://127.0.0.1.evil.example.com', 403],
  ['null', 403],
  ['http://localhost:6274', 200],
  [undefined, 200],
])('a page of the origin %s gets %i', async (origin, status) => {
  const answer = await setting.server.app.inject({
    method: 'POST',
    url: '/api/v1/mcp',
    headers: {
      authorization: `Bearer ${organizationKey()}`,
      accept: 'application/json, text/event-stream',
      ...(origin !== undefined && { origin }),
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  expect(answer.statusCode).toBe(status)
})
