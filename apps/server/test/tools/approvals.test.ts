import type { Approval } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startHostileServer } from '@troupe/tools/testing/hostile-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENTUALLY } from '../jobs/job-setting.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const CALCULATOR = { type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }
const SUM = { expression: '20+22' }
const careful = (more: object = {}) => setting.agent({ tools: [{ ...CALCULATOR, ...more }] })

async function pending(runId?: string): Promise<Approval[]> {
  const { status, body } = await setting.server.call('GET /api/v1/approvals?status=pending&limit=100')
  expect(status).toBe(200)
  const { data } = body as { data: Approval[] }
  return data.filter((one) => runId === undefined || one.runId === runId)
}

/** The one pending approval of a run, once it exists. */
async function asked(runId: string): Promise<Approval> {
  await expect.poll(async () => (await pending(runId)).length, EVENTUALLY).toBe(1)
  const [approval] = await pending(runId)
  if (!approval) throw new Error('no approval')
  return approval
}

const resolve = ({ approvalId }: Pick<Approval, 'approvalId'>, decision: string, reason?: string) =>
  setting.server.call(`POST /api/v1/approvals/${approvalId}/resolve`, {
    body: { decision, ...(reason !== undefined && { reason }) },
  })

test('a job is suspended before the call, and executes it once when it is approved', async () => {
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  expect(approval).toMatchObject({
    ...{ agentId, runId, toolName: 'calculator', toolCallId: 'call_0_0', args: SUM },
    ...{ status: 'pending', resolvedBy: null, reason: null },
  })
  expect(approval.expiresAt - approval.createdAt).toBeGreaterThanOrEqual(86_399)
  expect((await setting.server.call(`GET /api/v1/jobs/${runId}`)).body).toMatchObject({ status: 'running' })

  const answer = await resolve(approval, 'approve')
  expect([answer.status, answer.body]).toEqual([
    200,
    { approvalId: approval.approvalId, runId, status: 'approved' },
  ])
  expect((await setting.ended(runId)).result).toMatchObject({ content: '42.' })
  expect(setting.lastResult()).toBe('42')
  expect(setting.model.requests).toHaveLength(2)
  expect((await resolve(approval, 'approve')).status).toBe(200)
  const other = await resolve(approval, 'reject')
  expect([other.status, other.body]).toMatchObject([409, { error: 'approval_already_resolved' }])
  const events = await setting.log(runId)
  expect(events.map(({ event }) => event).filter((name) => !name.startsWith('Model'))).toEqual([
    ...['RunStarted', 'ToolApprovalRequired', 'ToolApprovalResolved', 'ToolCallStarted', 'ToolCallCompleted'],
    ...['RunContent', 'RunCompleted'],
  ])
})

test('an approved call finds its tool again, from a server and allowed by a loaded skill', async () => {
  await using server = await startHostileServer()
  const uploaded = await setting.server.call('POST /api/v1/skills', {
    body: {
      files: {
        'SKILL.md':
          '---\nname: echoes\ndescription: Echoes.\nallowed-tools: shop_echo\n---\nCall shop_echo.\n',
      },
    },
  })
  expect(uploaded.status).toBe(201)
  const { agentId } = await setting.agent({
    tools: [{ type: 'mcp', url: server.url, prefix: 'shop', approval: 'always' }, CALCULATOR],
    skills: [{ slug: 'echoes' }],
  })
  setting.model.script(
    setting.calls('load_skill', { name: 'echoes' }),
    setting.calls('shop_echo', { text: 'hello' }),
    setting.calls('calculator', SUM),
    'Done.',
  )
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  expect(server.asked).not.toContain('tools/call')
  await resolve(approval, 'approve')
  expect((await setting.ended(runId)).result).toMatchObject({ content: 'Done.' })
  const results = setting.model.requests.at(-1)?.body.messages?.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => String(content)).slice(1)).toEqual([
    expect.stringContaining('hello'),
    expect.stringContaining('The skill echoes does not allow this tool.'),
  ])
  expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(1)
})

test('a rejected call is not executed, and the model reads the reason', async () => {
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), 'Then not.')
  const runId = await setting.enqueue(agentId, 'x')
  await resolve(await asked(runId), 'reject', 'Use the ledger instead.')
  expect((await setting.ended(runId)).result).toMatchObject({ content: 'Then not.' })
  expect(JSON.parse(setting.lastResult())).toEqual({
    error: { code: 'denied', message: 'denied: Use the ledger instead.' },
  })
  expect(await setting.log(runId)).not.toContainEqual(expect.objectContaining({ event: 'ToolCallStarted' }))
})

test('an undecided call is denied by the delivery at its deadline', async () => {
  const { agentId } = await careful({ approval_timeout_s: 1 })
  setting.model.script(setting.calls('calculator', SUM), 'Too late.')
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  expect((await setting.ended(runId)).result).toMatchObject({ content: 'Too late.' })
  expect(setting.lastResult()).toContain('denied: nobody approved this call in time.')
  const late = await resolve(approval, 'approve')
  expect([late.status, late.body]).toMatchObject([
    409,
    { error: 'approval_already_resolved', message: 'The deadline of this approval has passed.' },
  ])
})

test('a cancelled job closes its approval', async () => {
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), 'Never.')
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  await setting.server.call(`POST /api/v1/jobs/${runId}/cancel`)
  expect(await pending(runId)).toEqual([])
  const late = await resolve(approval, 'approve')
  expect([late.status, late.body]).toMatchObject([
    409,
    { error: 'approval_already_resolved', message: 'The run has ended.' },
  ])
  expect(setting.model.requests).toHaveLength(1)
})

test('the other calls of the step finish, and a second approval of the step is opened beside the first', async () => {
  const free = { type: 'builtin', name: 'now', builtin: 'datetime' }
  const { agentId } = await setting.agent({ tools: [CALCULATOR, free] })
  const call = (expression: string) => ({ name: 'calculator', arguments: { expression } })
  setting.model.script({ toolCalls: [call('1+1'), { name: 'now', arguments: {} }, call('2+2')] }, 'Done.')
  const runId = await setting.enqueue(agentId, 'x')
  await expect.poll(async () => (await pending(runId)).length, EVENTUALLY).toBe(2)
  const [second, first] = await pending(runId)
  if (!first || !second) throw new Error('two approvals')
  await expect
    .poll(async () => (await setting.log(runId)).map(({ event }) => event), EVENTUALLY)
    .toContain('ToolCallCompleted')
  await resolve(second, 'approve')
  await expect.poll(async () => (await pending(runId)).length, EVENTUALLY).toBe(1)
  await resolve(first, 'reject')
  await setting.ended(runId)
  const results = setting.model.requests.at(-1)?.body.messages?.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => String(content))).toEqual([
    expect.stringContaining('denied'),
    expect.stringContaining('20'),
    '4',
  ])
})

test('a synchronous run is denied immediately, and continues', async () => {
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), 'I may not.')
  expect(await setting.answer(agentId, 'x')).toMatchObject({ content: 'I may not.', success: true })
  expect(JSON.parse(setting.lastResult()).error).toEqual({
    code: 'denied',
    message: 'denied: needs human approval; use run-async or run-stream',
  })
  expect(await pending()).toEqual([])
})

test('a stream stays open until the call is decided', async () => {
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const reading = setting.events(agentId, 'x')
  await expect.poll(async () => (await pending()).length, EVENTUALLY).toBe(1)
  const [approval] = await pending()
  if (!approval) throw new Error('no approval')
  expect(approval.expiresAt - approval.createdAt).toBeLessThanOrEqual(901)
  await resolve(approval, 'approve')
  const events = await reading
  expect(events.map(({ event }) => event)).toEqual([
    ...['RunStarted', 'ToolApprovalRequired', 'ToolApprovalResolved', 'ToolCallStarted', 'ToolCallCompleted'],
    ...['RunContent', 'RunCompleted'],
  ])
  expect(events[1]).toMatchObject({ approvalId: approval.approvalId, args: SUM, source: { agentId } })
  expect(events[2]).toMatchObject({ decision: 'approved', reason: null })
})

test('a condition on the arguments selects the calls that need approval', async () => {
  const { agentId } = await careful({ approval: { field: 'expression', op: 'contains', value: '*' } })
  setting.model.script(setting.calls('calculator', { expression: '2+3' }), 'Free.')
  expect(await setting.answer(agentId, 'x')).toMatchObject({ content: 'Free.' })
  expect(setting.lastResult()).toBe('5')
  setting.model.reset()
  setting.model.script(setting.calls('calculator', { expression: '2*3' }), 'Not free.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toContain('needs human approval')
})

test.for([
  [{ field: 'a', op: '>', value: 1 }, 'config.tools.0.approval.op'],
  [{ field: 'a', op: 'gt' }, 'config.tools.0.approval.value'],
  [{ field: 'a', op: 'gt', value: 'ten' }, 'config.tools.0.approval.value'],
  [{ field: 'a', op: 'matches', value: '(' }, 'config.tools.0.approval.value'],
])('saving refuses the condition %j', async ([approval, path]) => {
  const body = { name: 'Ada', config: { tools: [{ ...CALCULATOR, approval }] } }
  const answer = await setting.server.call('POST /api/v1/agents', { body })
  expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path }] }])
})

test('likely secrets are masked in the arguments of the list', async () => {
  const { agentId } = await setting.agent({
    tools: [
      {
        ...{ type: 'code', name: 'sign_in', approval: 'always', source: 'export default () => 1' },
        input_schema: { type: 'object', properties: { user: {}, password: {} } },
      },
    ],
  })
  setting.model.script(setting.calls('sign_in', { user: 'ana', password: 'hunter2' }), 'Done.')
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  expect(approval.args).toEqual({ user: 'ana', password: '[redacted]' })
  await resolve(approval, 'reject')
  await setting.ended(approval.runId)
})

test('the node of a workflow with a waiting caller is denied immediately', async () => {
  const { agentId } = await careful()
  const { server } = setting
  const ask = { ...node('ask', 'ai-agent', { agentId, message: 'x' }) }
  const workflowId = await seedWorkflow(server.context.database, {
    organizationId: server.seed.organizationId,
    projectId: null,
    graph: { nodes: [node('start', 'manual-trigger'), ask], edges: [edge('start', 'ask')] },
  })
  setting.model.script(setting.calls('calculator', SUM), 'I may not.')
  const { status, body } = await server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: {} })
  expect([status, body]).toMatchObject([200, { status: 'completed' }])
  expect(setting.lastResult()).toContain('needs human approval; use run-async or run-stream')
  expect(await pending()).toEqual([])
})

test('an agent that runs as a tool suspends the calling job', async () => {
  const expert = await careful()
  const { agentId } = await setting.agent({
    tools: [{ type: 'agent', name: 'ask_expert', agent_id: expert.agentId }],
  })
  const call = setting.calls('ask_expert', { message: 'How much?' })
  setting.model.script(call, setting.calls('calculator', SUM), 'It is 42.', 'The expert says 42.')
  const runId = await setting.enqueue(agentId, 'x')
  const approval = await asked(runId)
  expect(approval).toMatchObject({ agentId: expert.agentId, runId })
  await resolve(approval, 'approve')
  expect((await setting.ended(runId)).result).toMatchObject({ content: 'The expert says 42.' })
  expect(setting.model.requests).toHaveLength(4)
})

test('a key of a project decides approvals of its project only, and sees no others', async () => {
  const { server } = setting
  const { agentId } = await careful()
  setting.model.script(setting.calls('calculator', SUM), 'Done.')
  const approval = await asked(await setting.enqueue(agentId, 'x'))
  const key = server.seed.keys.project
  const path = `/api/v1/approvals/${approval.approvalId}/resolve`
  expect(await server.call(`POST ${path}`, { key, body: { decision: 'approve' } })).toMatchObject({
    status: 403,
    body: { error: 'forbidden' },
  })
  expect((await server.call('GET /api/v1/approvals', { key })).body).toMatchObject({ total: 0 })
  await resolve(approval, 'reject')
  await setting.ended(approval.runId)
})

describe('the pages of members', () => {
  const ORIGIN = 'http://localhost:3000'
  const signedIn = async (organizationId = setting.server.seed.organizationId) => {
    const person = await seedPerson(setting.server.context.database, { organizationId, name: 'Ana' })
    return { cookie: await signIn(setting.server, person) }
  }
  const get = (path: string, headers: Record<string, string>) =>
    setting.server.call(`GET ${path}`, { key: null, headers })
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
    setting.server.call(`POST ${path}`, {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })

  test('the inbox lists open approvals, the page shows the arguments, and the form decides', async () => {
    const note = {
      ...{ type: 'code', name: 'note', approval: 'always', source: 'export default () => 1' },
      input_schema: { type: 'object', properties: { text: { type: 'string' } } },
    }
    const { agentId } = await setting.agent({ tools: [note] }, { name: 'Ada <b>' })
    setting.model.script(setting.calls('note', { text: '1 < 2' }), 'No.')
    const runId = await setting.enqueue(agentId, 'x')
    const { approvalId } = await asked(runId)
    const path = `/approvals/${approvalId}`
    const ana = await signedIn()
    const inbox = String((await get('/reviews?status=open', ana)).body)
    expect(inbox).toContain(`<a class="title" href="${path}">Allow the call to note?</a>`)
    expect(inbox).toContain('Ada &lt;b&gt;')
    const page = await get(path, ana)
    expect(page.status).toBe(200)
    expect(page.body).toContain('1 &lt; 2')
    expect(page.body).not.toContain('<script')
    const same = { ...ana, origin: ORIGIN }
    expect((await post(path, { decision: 'maybe' }, same)).status).toBe(400)
    expect((await post(path, { decision: 'reject' }, { ...ana, origin: 'https://evil.test' })).status).toBe(
      403,
    )
    const decided = await post(path, { decision: 'reject', reason: 'Too easy.' }, same)
    expect([decided.status, decided.headers.location]).toEqual([303, path])
    await setting.ended(runId)
    expect(setting.lastResult()).toContain('denied: Too easy.')
    const verdict = String((await get(path, ana)).body)
    expect(verdict).toContain('The call was rejected by Ana.')
    expect(verdict).not.toContain('<form')
    expect((await post(path, { decision: 'approve' }, same)).status).toBe(409)
    expect((await get('/reviews', ana)).body).not.toContain(path)
    expect((await get('/reviews?status=rejected', ana)).body).toContain(path)
  })

  test('visitors are sent to the sign-in, and members of other organizations find nothing', async () => {
    const { agentId } = await careful()
    setting.model.script(setting.calls('calculator', SUM), 'No.')
    const approval = await asked(await setting.enqueue(agentId, 'x'))
    const path = `/approvals/${approval.approvalId}`
    expect(await get(path, {})).toMatchObject({ status: 303 })
    expect(await post(path, { decision: 'approve' }, { origin: ORIGIN })).toMatchObject({ status: 303 })
    const stranger = await signedIn(setting.server.seed.otherOrganizationId)
    expect((await get(path, stranger)).status).toBe(404)
    expect((await get('/approvals/no-uuid', stranger)).status).toBe(404)
    const answer = await post(path, { decision: 'approve' }, { ...stranger, origin: ORIGIN })
    expect(answer.status).toBe(404)
    expect((await get('/reviews', stranger)).body).not.toContain(path)
    expect((await asked(approval.runId)).status).toBe('pending')
    await resolve(approval, 'reject')
    await setting.ended(approval.runId)
  })
})
