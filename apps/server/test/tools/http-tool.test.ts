import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { AGENT_CONFIG_DEFAULTS, type AgentRunResult, checkedId, ProjectId } from '@troupe/contract'
import { credentialPlace } from '@troupe/operations/credentials/stored-credentials'
import type { NewCredential } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forsaken } from '../jobs/impatient.ts'
import { readEvents } from '../runs/event-reader.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { route } from '../teams/lead-decisions.ts'
import type { ShopServer } from './shop-server.ts'
import { SECRET, ShopSetting, toolTexts } from './shop-setting.ts'

const EVENTUALLY = { timeout: 20_000 }

let shopping: ShopSetting
let setting: RunSetting
let shop: ShopServer
let origin: string
beforeAll(async () => {
  shopping = await ShopSetting.start()
  setting = shopping.run
  shop = shopping.shop
  await setting.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(setting.server.app.server.address() as AddressInfo).port}`
})
afterAll(() => shopping[Symbol.asyncDispose]())
beforeEach(() => shopping.reset())

const GET_ORDER = { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] }

const tool = (more: object = {}) => shopping.tool(more)

const credential = (change: Partial<NewCredential> = {}) => shopping.credential(change)

test('an agent calls an HTTP tool with its credential, which is visible nowhere', async () => {
  const { agentId } = await setting.agent({ tools: [tool({ auth_credential_id: await credential() })] })
  shop.answer((request, response) =>
    response.end(`{"state":"sent","auth":"${request.headers.authorization}"}`),
  )
  setting.model.script(GET_ORDER, 'It is sent.')
  const { status, body } = await setting.run(agentId, { message: 'Where is 7?', include_messages: true })
  expect([status, (body as AgentRunResult).content]).toEqual([200, 'It is sent.'])
  expect(shop.seen).toMatchObject([{ url: '/orders/7', headers: { authorization: `Bearer ${SECRET}` } }])
  expect(toolTexts(body)).toEqual(['{"state":"sent","auth":"Bearer [hidden]"}'])
  expect(JSON.stringify(setting.model.requests)).not.toContain(SECRET)
})

test('a credential does not follow a redirect to another host, nor does a body', async () => {
  const { agentId } = await setting.agent({
    tools: [tool({ auth_credential_id: await credential(), method: 'POST' })],
  })
  shop.answer((request, response) => {
    if (request.url !== '/orders/7') response.end('moved')
    else response.writeHead(302, { location: `http://127.0.0.1:${shop.port}/moved` }).end()
  })
  setting.model.script(GET_ORDER, 'Done.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(body)).toEqual(['moved'])
  expect(shop.seen.map(({ method, headers }) => [method, headers.authorization])).toEqual([
    ['POST', `Bearer ${SECRET}`],
    ['GET', undefined],
  ])

  const writes = { method: 'PUT', body: { id: '{id}' }, auth_credential_id: await credential() }
  const other = await setting.agent({ tools: [tool(writes)] })
  shop.seen.length = 0
  shop.answer((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${shop.port}/moved` }).end(),
  )
  setting.model.script(GET_ORDER, 'Done.')
  const refused = await setting.run(other.agentId, { message: 'x', include_messages: true })
  expect(toolTexts(refused.body)).toEqual([expect.stringContaining('"code":"failed"')])
  expect(shop.seen).toHaveLength(1)
})

test('private addresses are not reached', async () => {
  const { agentId } = await setting.agent({ tools: [tool({ url: 'http://169.254.169.254/{id}' })] })
  setting.model.script(GET_ORDER, 'No.')
  const { body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(body)).toEqual([
    '{"error":{"code":"failed","message":"The address is not allowed: only public addresses may be called."}}',
  ])
})

test('a hanging server is a timeout of the tool, and its status an error with the response', async () => {
  const { agentId } = await setting.agent({ tools: [tool({ timeout_ms: 200 })] })
  shop.answer(() => {})
  setting.model.script(GET_ORDER, 'Too slow.')
  const slow = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(slow.body)).toEqual([expect.stringContaining('"code":"timeout"')])
  shop.answer((_request, response) => response.writeHead(404).end('no such order'))
  setting.model.script(GET_ORDER, 'Not there.')
  const missing = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(missing.body)).toEqual([
    '{"error":{"code":"http_404","message":"The server answered with status 404.","body":"no such order"}}',
  ])
})

test('a missing or invisible credential is 422 with the path, on create and on update', async () => {
  const { seed, server } = { seed: setting.server.seed, server: setting.server }
  const refused = {
    status: 422,
    body: { error: 'credential_not_found', errors: [{ path: 'config.tools.0.auth_credential_id' }] },
  }
  const ofOther = await credential({ projectId: seed.otherProjectId })
  for (const id of [randomUUID(), ofOther]) {
    const body = {
      name: 'A',
      projectId: seed.projectId,
      config: { tools: [tool({ auth_credential_id: id })] },
    }
    expect(await server.call('POST /api/v1/agents', { body })).toMatchObject(refused)
  }
  const config = { tools: [tool({ auth_credential_id: ofOther })] }
  const key = seed.keys.project
  expect(await server.call('POST /api/v1/agents', { key, body: { name: 'A', config } })).toMatchObject(
    refused,
  )
  const { agentId } = await setting.agent({}, { projectId: seed.projectId })
  expect(await server.call(`PUT /api/v1/agents/${agentId}`, { body: { config } })).toMatchObject(refused)
})

test('a credential that became inaccessible is an error that names it, not a failed run', async () => {
  const id = await credential()
  const { agentId } = await setting.agent(
    { tools: [tool({ auth_credential_id: id })] },
    { projectId: setting.server.seed.projectId },
  )
  const { database, secretBox } = setting.server.context
  const { organizationId, otherProjectId } = setting.server.seed
  const row = await database.read.credentials.byId(organizationId, id)
  if (!row) throw new Error('no credential')
  const { createdAt, updatedAt, ...kept } = row
  await database.transaction(({ write }) =>
    write.credentials.update({
      ...kept,
      projectId: checkedId(ProjectId, otherProjectId),
      sealedSecret: secretBox.seal('x', credentialPlace(id)),
    }),
  )
  setting.model.script(GET_ORDER, 'I cannot.')
  const { status, body } = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(status).toBe(200)
  expect(toolTexts(body)).toEqual([
    expect.stringContaining(`The credential ${id} of this tool does not exist`),
  ])
  expect(shop.seen).toEqual([])
})

const CONTEXT_TOOL = () =>
  tool({
    headers: { 'X-Customer': '{{ context.customer.token }}' },
    context_keys: [{ key: 'customer', required: true }],
  })
const CONTEXT = { customer: { token: 'customer-token-42' } }

test('tool_context reaches the tools of a stream, and no event, message or model', async () => {
  const { agentId } = await setting.agent({ tools: [CONTEXT_TOOL()] })
  shop.answer((request, response) => response.end(`for ${request.headers['x-customer']}`))
  setting.model.script(GET_ORDER, 'Sent.')
  const body = { message: 'x', tool_context: CONTEXT, include_messages: true }
  const stream = await readEvents(`${origin}/api/v1/agents/${agentId}/run-stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': setting.server.seed.keys.organization },
    body: JSON.stringify(body),
  })
  await stream.ended
  expect(shop.seen[0]?.headers['x-customer']).toBe('customer-token-42')
  expect(stream.text()).toContain('event: ToolCallCompleted')
  expect(stream.text()).toContain('for [hidden]')
  expect(stream.text()).not.toContain('customer-token-42')
  expect(JSON.stringify(setting.model.requests)).not.toContain('customer-token-42')

  setting.model.script(GET_ORDER, 'Whose?')
  const without = await setting.run(agentId, { message: 'x', include_messages: true })
  expect(toolTexts(without.body)).toEqual([expect.stringContaining('"code":"missing_context"')])
})

test('a member of a team calls its HTTP tool', async () => {
  const { organizationId } = setting.server.seed
  const { model: defaults } = AGENT_CONFIG_DEFAULTS
  const model = { ...defaults, primary: { ...defaults.primary, llm_config_id: setting.llmConfigId } }
  const { teamId } = await seedTeam(setting.server.context.database, {
    organizationId,
    projectId: null,
    config: { lead: { managed: { instructions: 'You lead.', model } } },
    memberConfig: () => ({ model, tools: [tool({ method: 'POST', idempotent: true })] }),
  })
  setting.model.script(route('m1', 'Look it up.'), GET_ORDER, 'It is sent.')
  const { body } = await setting.server.call(`POST /api/v1/teams/${teamId}/run-sync`, {
    body: { message: 'x' },
  })
  expect(body).toMatchObject({ content: 'It is sent.' })
  expect(shop.seen).toMatchObject([{ method: 'POST', url: '/orders/7' }])
  expect(shop.seen[0]?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}:.+call_0_0$/)
})

test('an AI Agent node passes the context set by its workflow', async () => {
  const { organizationId } = setting.server.seed
  const { agentId } = await setting.agent({ tools: [CONTEXT_TOOL()] })
  const agent = { agentId, message: 'Where?', toolContext: { customer: { token: '{{ trigger.token }}' } } }
  const graph = {
    nodes: [node('start', 'manual-trigger'), node('agent', 'ai-agent', agent)],
    edges: [edge('start', 'agent')],
  }
  const id = await seedWorkflow(setting.server.context.database, { organizationId, projectId: null, graph })
  setting.model.script(GET_ORDER, 'Sent.')
  const input = { token: 'customer-token-77' }
  const { body } = await setting.server.call(`POST /api/v1/workflows/${id}/run`, { body: { input } })
  expect(body).toMatchObject({ status: 'completed' })
  expect(shop.seen[0]?.headers['x-customer']).toBe('customer-token-77')
})

test('a job keeps its context encrypted until it ends, including for a worker that takes over', async () => {
  const database = await openReusedDatabase()
  await using resources = new AsyncDisposableStack()
  resources.use(database)
  const encryptionKey = randomBytes(32)
  // Looks dead from the moment it claims the job.
  const zombie = resources.use(
    await startRunSetting({ overrides: { database: forsaken(database) }, encryptionKey }),
  )
  const heir = resources.use(await startTestServer({ overrides: { database }, encryptionKey }))
  for (const { context } of [zombie.server, heir]) context.duties[Symbol.dispose]()
  const { organizationId } = zombie.server.seed
  const stored = async () =>
    (await database.read.sealedSecrets.list(organizationId)).filter(
      ({ purpose }) => purpose === 'run.tool_context',
    )

  const { agentId } = await zombie.agent({ tools: [CONTEXT_TOOL()] })
  const held = Promise.withResolvers<void>()
  let first = true
  shop.answer((_request, response) => {
    if (first) held.promise.then(() => response.end('late'))
    else response.end('sent')
    first = false
  })
  zombie.model.script(GET_ORDER, 'Sent.')
  const body = { message: 'x', tool_context: CONTEXT, include_messages: true }
  const accepted = await zombie.server.call(`POST /api/v1/agents/${agentId}/run-async`, { body })
  const { jobId } = accepted.body as { jobId: string }
  await expect.poll(() => shop.seen.length, EVENTUALLY).toBe(1)
  const rows = await stored()
  expect(rows).toMatchObject([{ id: jobId }])
  expect(JSON.stringify(rows)).not.toMatch(/customer|token-42/)

  await heir.context.duties.perform('watchdog')
  const job = async () => (await zombie.server.call(`GET /api/v1/jobs/${jobId}`)).body
  await expect.poll(job, EVENTUALLY).toMatchObject({ status: 'completed', result: { content: 'Sent.' } })
  expect(shop.seen.map(({ headers }) => headers['x-customer'])).toEqual([
    'customer-token-42',
    'customer-token-42',
  ])
  expect(await stored()).toEqual([])
  held.resolve()
  await expect.poll(() => zombie.server.context.runs.active.size, EVENTUALLY).toBe(0)

  // A cancelled job also deletes its context.
  shop.answer(() => {})
  zombie.model.script(GET_ORDER)
  const next = await zombie.server.call(`POST /api/v1/agents/${agentId}/run-async`, { body })
  const cancelled = (next.body as { jobId: string }).jobId
  await expect.poll(() => shop.seen.length, EVENTUALLY).toBe(3)
  expect(await stored()).toHaveLength(1)
  await zombie.server.call(`POST /api/v1/jobs/${cancelled}/cancel`)
  expect(await stored()).toEqual([])
  await expect.poll(() => zombie.server.context.runs.active.size, EVENTUALLY).toBe(0)
})
