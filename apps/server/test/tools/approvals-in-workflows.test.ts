import type { Approval } from '@troupe/contract'
import { checkGraph } from '@troupe/operations/workflows/check-graph'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EVENTUALLY } from '../jobs/job-setting.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const SUM = { expression: '20+22' }
const careful = (more: object = {}) =>
  setting.agent({
    tools: [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always', ...more }],
  })

/** A published workflow: a trigger, then the nodes, which start concurrently unless `chained`. */
async function workflowOf(
  nodes: ReturnType<typeof node>[],
  edges = nodes.map(({ id }) => edge('start', id)),
) {
  const { server } = setting
  return seedWorkflow(server.context.database, {
    organizationId: server.seed.organizationId,
    projectId: null,
    graph: { nodes: [node('start', 'manual-trigger'), ...nodes], edges },
  })
}

async function start(workflowId: string): Promise<string> {
  const { status, body } = await setting.server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
    body: {},
  })
  expect(status).toBe(202)
  return (body as { executionId: string }).executionId
}

interface Job {
  status: string
  statusReason?: string | null
  error?: string | null
}
const poll = async (runId: string) =>
  (await setting.server.call(`GET /api/v1/workflow-jobs/${runId}`)).body as Job
const output = async (runId: string) =>
  ((await setting.server.call(`GET /api/v1/workflow-jobs/${runId}/result`)).body as { output: unknown })
    .output

async function reached(runId: string, status: string): Promise<Job> {
  await expect.poll(async () => (await poll(runId)).status, EVENTUALLY).toBe(status)
  return poll(runId)
}

async function pending(): Promise<Approval[]> {
  const { body } = await setting.server.call('GET /api/v1/approvals?status=pending&limit=100')
  return (body as { data: Approval[] }).data
}

const resolve = ({ approvalId }: Pick<Approval, 'approvalId'>, decision: string, reason?: string) =>
  setting.server.call(`POST /api/v1/approvals/${approvalId}/resolve`, {
    body: { decision, ...(reason !== undefined && { reason }) },
  })

const ask = (id: string, agentId: string, config: object = {}) =>
  node(id, 'ai-agent', { agentId, message: 'x', ...config })

test('a run waits for the approval of a call, and continues with it', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await start(workflowId)
  expect(await reached(runId, 'awaiting_approval')).toMatchObject({
    statusReason: 'waiting for 1 approval: "ask"',
  })
  const [approval, ...others] = await pending()
  expect(others).toEqual([])
  expect(approval).toMatchObject({ agentId, toolName: 'calculator', args: SUM })
  expect((await resolve(approval as Approval, 'approve')).status).toBe(200)
  await reached(runId, 'completed')
  expect(await output(runId)).toBe('42.')
  expect(setting.lastResult()).toBe('42')
  expect(setting.model.requests).toHaveLength(2)
})

test('a rejected call is reported to the model, and the run continues', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), 'Not computed.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  await resolve((await pending())[0] as Approval, 'reject', 'no sums')
  await reached(runId, 'completed')
  expect(setting.lastResult()).toContain('denied: no sums')
  expect(await output(runId)).toBe('Not computed.')
})

test('parallel branches continue while a step waits, and the run waits only when nothing else is left', async () => {
  const { agentId } = await careful()
  const nodes = [
    ask('ask', agentId),
    node('other', 'edit-fields', { rows: [{ name: 'a', value: 'b' }] }),
    node('review', 'human-review', { title: 'Look' }),
  ]
  const workflowId = await workflowOf(nodes)
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await start(workflowId)
  expect(await reached(runId, 'awaiting_approval')).toMatchObject({
    statusReason: 'waiting for 1 review: "review"; 1 approval: "ask"',
  })
  const { body } = await setting.server.call(`GET /api/v1/workflow-jobs/${runId}/reviews`)
  const [review] = (body as { data: { reviewId: string }[] }).data
  const decided = await setting.server.call(`POST /api/v1/reviews/${review?.reviewId}/decision`, {
    body: { decision: 'approve' },
  })
  expect(decided.status).toBe(200)
  await expect
    .poll(async () => (await poll(runId)).statusReason, EVENTUALLY)
    .toBe('waiting for 1 approval: "ask"')
  await resolve((await pending())[0] as Approval, 'approve')
  await reached(runId, 'completed')
  expect(await output(runId)).toMatchObject({ ask: '42.', other: { a: 'b' } })
})

test('each iteration of a loop waits for its own approval, in turn', async () => {
  const { agentId } = await careful()
  const loop = node('loop', 'loop', { mode: 'count', count: 2 })
  const inner = { ...ask('ask', agentId, { message: 'x {{ loop.index }}' }), parentId: 'loop' }
  const body = { id: 'b', source: 'loop', sourceHandle: 'body', target: 'ask' }
  const workflowId = await workflowOf([loop, inner], [edge('start', 'loop'), body])
  const call = setting.calls('calculator', SUM)
  setting.model.script(call, 'first', call, 'second')
  const runId = await start(workflowId)
  for (const _ of ['first', 'second']) {
    await expect.poll(async () => (await pending()).length, EVENTUALLY).toBe(1)
    await reached(runId, 'awaiting_approval')
    await resolve((await pending())[0] as Approval, 'approve')
    await expect
      .poll(async () => (await pending()).length + (await poll(runId)).status, EVENTUALLY)
      .toMatch(/^(1|0completed)/)
  }
  await reached(runId, 'completed')
  expect(await output(runId)).toEqual(['first', 'second'])
})

test('an undecided call is denied at the deadline, and the run continues', async () => {
  const { agentId } = await careful({ approval_timeout_s: 1 })
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), 'Nobody came.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const { approvals } = setting.server.context.database.duties
  const { deliver } = setting.server.context.workflows
  // Repeats the sweep until the second has passed.
  const swept = async () => {
    for (const delivery of await approvals.continueLate()) await deliver(delivery)
    return (await poll(runId)).status
  }
  await expect.poll(swept, EVENTUALLY).toBe('completed')
  expect(setting.lastResult()).toContain('denied: nobody approved this call in time.')
  expect(await output(runId)).toBe('Nobody came.')
  expect(await approvals.continueLate()).toEqual([])
})

test('a cancelled run has no open approvals', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), 'never')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const [approval] = await pending()
  const cancelled = await setting.server.call(`POST /api/v1/workflow-jobs/${runId}/cancel`)
  expect(cancelled.status).toBe(200)
  expect(await pending()).toEqual([])
  expect(await resolve(approval as Approval, 'approve')).toMatchObject({
    status: 409,
    body: { error: 'approval_already_resolved', message: 'The run has ended.' },
  })
  const { workflowRuns } = setting.server.context.database.duties
  await workflowRuns.endOrphans()
  const job = await setting.server.context.database.runs.find(
    { organizationId: setting.server.seed.organizationId, projectId: null },
    { kind: 'agent', entityId: agentId as never, runId: approval?.runId as never, isPlayground: false },
  )
  expect(job?.status).toBe('cancelled')
  expect(setting.model.requests).toHaveLength(1)
})

test('a decision while the run is paused applies once it is resumed', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const { database, workflows } = setting.server.context
  const scope = { organizationId: setting.server.seed.organizationId, projectId: null }
  expect(await database.workflowRuns.pause(scope, runId as never)).toMatchObject({ paused: true })
  await resolve((await pending())[0] as Approval, 'approve')
  expect((await poll(runId)).status).toBe('paused')
  expect(setting.model.requests).toHaveLength(1)
  const resumed = await database.workflowRuns.resume(scope, runId as never)
  if (resumed?.delivery) await workflows.deliver(resumed.delivery)
  await reached(runId, 'completed')
  expect(setting.lastResult()).toBe('42')
})

test('a run that is paused and resumed undecided waits again', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const { database } = setting.server.context
  const scope = { organizationId: setting.server.seed.organizationId, projectId: null }
  await database.workflowRuns.pause(scope, runId as never)
  expect(await database.workflowRuns.resume(scope, runId as never)).toMatchObject({
    status: 'awaiting_approval',
    delivery: null,
  })
  await resolve((await pending())[0] as Approval, 'approve')
  await reached(runId, 'completed')
})

test('the team of a step waits with its member, and so does an agent with another one as a tool', async () => {
  const expert = await careful()
  const { agentId } = await setting.agent({
    tools: [{ type: 'agent', name: 'ask_expert', agent_id: expert.agentId }],
  })
  const workflowId = await workflowOf([ask('ask', agentId)])
  const call = setting.calls('ask_expert', { message: 'How much?' })
  setting.model.script(call, setting.calls('calculator', SUM), 'It is 42.', 'The expert says 42.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const [approval] = await pending()
  expect(approval).toMatchObject({ agentId: expert.agentId, workflowRunId: runId })
  await resolve(approval as Approval, 'approve')
  await reached(runId, 'completed')
  expect(await output(runId)).toBe('The expert says 42.')
  expect(setting.model.requests).toHaveLength(4)
})

test('two calls of one step are decided one after the other', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  const toolCalls = ['1+1', '2+2'].map((expression) => ({ name: 'calculator', arguments: { expression } }))
  setting.model.script({ toolCalls }, 'Both.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const both = await pending()
  expect(both).toHaveLength(2)
  await resolve(both[0] as Approval, 'approve')
  await expect
    .poll(async () => [(await pending()).length, (await poll(runId)).status].join(), EVENTUALLY)
    .toBe('1,awaiting_approval')
  expect(setting.model.requests).toHaveLength(1)
  await resolve(both[1] as Approval, 'reject')
  await reached(runId, 'completed')
  expect(await output(runId)).toBe('Both.')
})

test('a waiting run holds one slot and no lease, and resuming a step is not a second attempt', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), '42.')
  const runId = await start(workflowId)
  await reached(runId, 'awaiting_approval')
  const { database } = setting.server.context
  expect(
    await database.duties.workflowRuns.sweep({ dispatchSeconds: 0, queueSeconds: 0, redeliverSeconds: 0 }),
  ).toEqual([])
  const [approval] = await pending()
  await resolve(approval as Approval, 'approve')
  await reached(runId, 'completed')
  const { organizationId } = setting.server.seed
  const found = await database.observed.node(organizationId, runId as never, { path: '', nodeId: 'ask' })
  expect(found?.node).toMatchObject({ attempt: 1, agentRunId: approval?.runId, status: 'completed' })
})

test('a caller of /run waits for the end, so a call that needs approval is denied and the step reports it', async () => {
  const { agentId } = await careful()
  const workflowId = await workflowOf([ask('ask', agentId)])
  setting.model.script(setting.calls('calculator', SUM), 'I may not.')
  const { server } = setting
  const { status, body } = await server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: {} })
  expect([status, body]).toMatchObject([200, { status: 'completed' }])
  expect(setting.lastResult()).toContain('needs human approval')
  expect(await pending()).toEqual([])
  const { executionId } = body as { executionId: string }
  const found = await server.context.database.observed.node(
    server.seed.organizationId,
    executionId as never,
    {
      path: '',
      nodeId: 'ask',
    },
  )
  expect(found?.node.note).toBe(
    'Calls of calculator need approval and were denied, because the caller waited for the end of this run. Start the workflow with run-async.',
  )
})

test('publishing warns if a waiting caller could start calls that need approval', async () => {
  const expert = await careful()
  const { agentId } = await setting.agent({
    tools: [{ type: 'agent', name: 'ask_expert', agent_id: expert.agentId }],
  })
  const { server } = setting
  const { database } = server.context
  const scope = { organizationId: server.seed.organizationId, projectId: null }
  const warnings = async (trigger: ReturnType<typeof node>) => {
    const draft = {
      nodes: [trigger, ask('direct', expert.agentId), ask('nested', agentId)],
      edges: [edge('start', 'direct'), edge('direct', 'nested')],
    }
    const { findings } = await checkGraph(database.read, scope, { projectId: null, draft })
    return findings.filter(({ code }) => code === 'approval_not_awaited')
  }
  expect(await warnings(node('start', 'manual-trigger'))).toMatchObject(
    [1, 2].map((at) => ({
      severity: 'warning',
      path: `nodes.${at}.config.agentId`,
      message:
        'calls of calculator may need approval: a run that is started with /run denies them, because its caller waits; start it with run-async',
    })),
  )
  expect(await warnings(node('start', 'recurrence', { mode: 'interval', every: 1, unit: 'days' }))).toEqual(
    [],
  )
})
