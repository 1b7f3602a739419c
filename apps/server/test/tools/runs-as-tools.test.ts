import type { AgentJob, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { ECHO_GRAPH, REVIEW_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { asOperator } from '../builder/builder-caller.ts'
import { forsaken } from '../jobs/impatient.ts'
import { EVENTUALLY } from '../jobs/job-setting.ts'
import { conversation } from '../runs/model-agent.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

const resources = new AsyncDisposableStack()
let database: Database
/** Looks dead to others from the moment it claims a job. */
let setting: ToolSetting
let heir: TestServer
beforeAll(async () => {
  database = resources.use(await openReusedDatabase())
  setting = resources.use(await startToolSetting({ overrides: { database: forsaken(database) } }))
  heir = resources.use(await startTestServer({ overrides: { database } }))
  for (const { context } of [setting.server, heir]) context.duties[Symbol.dispose]()
})
afterAll(() => resources.disposeAsync())
beforeEach(() => setting.model.reset())

const organization = () => setting.server.seed.organizationId
const workflow = (more: object = {}) =>
  seedWorkflow(database, { organizationId: organization(), projectId: null, ...more })
const workflowTool = (workflow_id: string) => ({ type: 'workflow', name: 'refund', workflow_id })
const agentTool = (agent_id: string) => ({ type: 'agent', name: 'ask_expert', agent_id })

/** The workflow runs accepted since. */
function acceptedRuns(): WorkflowRunId[] {
  const runs: WorkflowRunId[] = []
  const { accept } = database.workflowRuns
  database.workflowRuns.accept = (run) => {
    runs.push(run.runId)
    return accept(run)
  }
  return runs
}
const statusOf = async (runId: WorkflowRunId | undefined) =>
  runId &&
  (await database.workflowRuns.find({ organizationId: organization(), projectId: null }, runId))?.status

test('an agent runs a workflow with its arguments as the input, and reads its output', async () => {
  const sample = { order: 'A-1', amount: 2.5, note: null }
  const [start] = ECHO_GRAPH.nodes
  const graph = { nodes: [{ ...start, config: { sample } }], edges: [] }
  const { agentId } = await setting.agent({
    tools: [workflowTool(await workflow({ name: 'Refunds', graph }))],
  })
  const call = setting.calls('refund', { order: 'B-2' })
  setting.model.script(call, 'Refunded.')
  expect((await setting.answer(agentId, 'x')).content).toBe('Refunded.')
  expect(JSON.parse(setting.lastResult())).toEqual({ order: 'B-2' })
  const offered = JSON.stringify(setting.model.requests[0]?.body)
  expect(offered).toContain('Runs the workflow Refunds.')
  expect(offered).toContain('"properties":{"order":{"type":"string"},"amount":{"type":"number"}}')

  setting.model.script(call, 'Refunded.')
  expect(await setting.events(agentId, 'x')).toContainEqual(
    expect.objectContaining({ event: 'ToolCallCompleted', toolName: 'refund', result: '{"order":"B-2"}' }),
  )
})

test('the run of a workflow names the run of the agent whose tool started it', async () => {
  const runs = acceptedRuns()
  const { agentId } = await setting.agent({ tools: [workflowTool(await workflow())] })
  setting.model.script(setting.calls('refund', {}), 'Refunded.')
  const { runId } = await setting.answer(agentId, 'x')
  const { body } = await asOperator(setting.server).send(`GET /runs/${runs[0]}`)
  expect(body).toMatchObject({ startedBy: { kind: 'run', id: runId, name: expect.any(String) } })
})

/** A webhook with the token as its output. */
const hook = (token: string) => ({
  nodes: [
    { id: 'start', type: 'http-request', name: 'Start', config: {} },
    {
      id: 'out',
      type: 'edit-fields',
      name: 'Out',
      config: { rows: [{ name: 'order', value: `{{ ${token} }}` }] },
    },
  ],
  edges: [{ id: 'e', source: 'start', target: 'out' }],
})

test('a workflow with steps that read a webhook’s body gets the arguments there', async () => {
  const { agentId } = await setting.agent({
    tools: [workflowTool(await workflow({ graph: hook('trigger.body.order') }))],
  })
  setting.model.script(setting.calls('refund', { order: 'B-2' }), 'Refunded.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toBe('{"order":"B-2"}')
})

async function publish(id: WorkflowId): Promise<void> {
  const createdBy = { kind: 'system' as const, id: null, ip: null, requestId: null }
  const next = {
    organizationId: organization(),
    id,
    graph: hook('trigger.body.order'),
    resources: [],
    createdBy,
  }
  await database.transaction(({ write }) => write.workflows.publish(next))
}
async function unpublish(id: WorkflowId): Promise<void> {
  await database.transaction(({ write }) => write.workflows.unpublish(organization(), id))
}

test('the model gets the declared fields of a workflow’s trigger, in a schema accepted by every provider', async () => {
  const declared = [
    { name: 'order', type: 'string', required: true },
    { name: 'gift', type: 'boolean', required: false },
    { name: 'größe', type: 'string', required: true },
  ]
  const [start, ...others] = hook('trigger.body.order').nodes
  const graph = {
    ...hook('trigger.body.order'),
    nodes: [{ ...start, config: { fields: declared } }, ...others],
  }
  const [, ...steps] = ECHO_GRAPH.nodes
  const lists = {
    ...ECHO_GRAPH,
    nodes: [{ ...ECHO_GRAPH.nodes[0], config: { sample: { tags: ['a'] } } }, ...steps],
  }
  const tools = [
    workflowTool(await workflow({ graph })),
    { ...workflowTool(await workflow({ graph: lists })), name: 'tag' },
  ]
  const { agentId } = await setting.agent({ tools })
  setting.model.script(setting.calls('refund', { order: 'B-2', größe: 'L' }), 'Refunded.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toBe('{"order":"B-2"}')
  const offered = JSON.stringify(setting.model.requests[0]?.body)
  expect(offered).toContain(JSON.stringify('"größe" (string, required)').slice(1, -1))
  expect(offered).toContain(
    '"properties":{"order":{"type":"string"},"gift":{"type":"boolean"}},"required":["order"]',
  )
  expect(offered).toContain('"tags":{"type":"array","items":{}}')
})

test('a workflow that is published during its call gets the input of the executed version', async () => {
  const id = await workflow({ graph: hook('trigger.order') })
  const { agentId } = await setting.agent({ tools: [workflowTool(id)] })
  const { accept } = database.workflowRuns
  database.workflowRuns.accept = async (run) => {
    database.workflowRuns.accept = accept
    await publish(id)
    return accept(run)
  }
  setting.model.script(setting.calls('refund', { order: 'B-2' }), 'Refunded.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toBe('{"order":"B-2"}')
})

test('a workflow that is unpublished during its call does not run', async () => {
  const id = await workflow({ graph: hook('trigger.order') })
  const { agentId } = await setting.agent({ tools: [workflowTool(id)] })
  const { accept } = database.workflowRuns
  const call = setting.calls('refund', { order: 'B-2' })
  database.workflowRuns.accept = async (run) => {
    await publish(id)
    const outcome = await accept(run)
    await unpublish(id)
    return outcome
  }
  setting.model.script(call, 'Sorry.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toContain('The workflow was deleted or is not published.')

  await publish(id)
  database.workflowRuns.accept = async (run) => {
    database.workflowRuns.accept = accept
    await unpublish(id)
    return accept(run)
  }
  setting.model.script(call, 'Sorry.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toContain('The workflow has no active deployment.')
})

test('a workflow is read once for the calls of a run', async () => {
  const id = await workflow({ graph: hook('trigger.body.order') })
  const { agentId } = await setting.agent({ tools: [workflowTool(id)] })
  const read = vi.spyOn(database.read.workflows, 'byId')
  onTestFinished(() => read.mockRestore())
  const call = setting.calls('refund', { order: 'B-2' })
  setting.model.script(call, call, 'Refunded.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toBe('{"order":"B-2"}')
  expect(read.mock.calls.filter(([, of]) => of === id)).toHaveLength(1)
})

test('an unpublished or deleted workflow is an error that names it', async () => {
  const draft = await workflow({ name: 'Draft', publish: false })
  const gone = await workflow({ name: 'Gone' })
  const tools = [workflowTool(draft), { ...workflowTool(gone), name: 'gone' }]
  const { agentId } = await setting.agent({ tools })
  await database.transaction(({ write }) => write.workflows.softDelete(organization(), gone))
  setting.model.script(setting.calls('refund', {}), setting.calls('gone', {}), 'Sorry.')
  await setting.answer(agentId, 'x')
  const [, second, third] = setting.model.requests
  expect(JSON.stringify(second?.body)).toContain('The workflow Draft is not published.')
  expect(JSON.stringify(third?.body)).toContain(`The workflow ${gone} no longer exists.`)
})

test('a workflow is cancelled if its tool takes too long', async () => {
  const waits = await workflow({ graph: REVIEW_GRAPH })
  const { agentId } = await setting.agent({ tools: [{ ...workflowTool(waits), timeout_ms: 300 }] })
  const runs = acceptedRuns()
  setting.model.script(setting.calls('refund', {}), 'Too slow.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toContain('The tool did not answer within 300 ms.')
  await expect.poll(() => statusOf(runs[0]), EVENTUALLY).toBe('cancelled')
})

test('an agent calls another one, which has its own model and row and no agent tools', async () => {
  const expert = await setting.agent({ instructions: 'EXPERT', tools: [] }, { name: 'Expert' })
  const { agentId } = await setting.agent({ instructions: 'BOSS', tools: [agentTool(expert.agentId)] })
  const above = await setting.agent({ tools: [agentTool(agentId)] })
  const call = setting.calls('ask_expert', { message: 'What is it?' })
  setting.model.script(call, 'It is a fact.', 'The expert says: a fact.')
  const result = await setting.answer(agentId, 'x', { include_messages: true })
  expect(result.content).toBe('The expert says: a fact.')
  expect(setting.lastResult()).toBe('It is a fact.')
  const [first, child] = setting.model.requests
  expect(conversation(child)).toEqual(['system: EXPERT', 'user: What is it?'])
  expect(JSON.stringify(first?.body)).toContain('ask_expert')
  expect(result.metrics).toMatchObject({ inputTokens: 30, outputTokens: 15 })
  expect(new Set(result.messages?.map(({ runId }) => runId)).size).toBe(2)

  setting.model.reset()
  setting.model.script(call, 'It is a fact.', 'Done.')
  const events = await setting.events(agentId, 'x')
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining([
      'ToolCallStarted',
      'MemberRunStarted',
      'MemberRunCompleted',
      'ToolCallCompleted',
    ]),
  )

  setting.model.reset()
  setting.model.script(call, 'I cannot ask.', 'Done.')
  await setting.answer(above.agentId, 'x')
  expect(JSON.stringify(setting.model.requests[1]?.body)).not.toContain('ask_expert')
})

test('a failing or missing agent is an error for its caller', async () => {
  const expert = await setting.agent({ model: { retry: { attempts_per_model: 1 } } }, { name: 'Expert' })
  const { agentId } = await setting.agent({ tools: [agentTool(expert.agentId)] })
  const call = setting.calls('ask_expert', { message: 'What is it?' })
  setting.model.script(call, { status: 400 }, 'It failed.')
  await setting.answer(agentId, 'x')
  expect(setting.lastResult()).toContain('The agent Expert failed: ')
})

/** Starts a job on the server that looks dead, and makes the other one take it over while it waits. */
async function takenOver(agentId: string, underWay: () => Promise<boolean>): Promise<string> {
  const jobId = await setting.enqueue(agentId, 'x')
  await expect.poll(underWay, EVENTUALLY).toBe(true)
  await heir.context.duties.perform('watchdog')
  return jobId
}

test.each([
  ['which stays published', false],
  ['which is withdrawn meanwhile', true],
])('a job with a lost worker rejoins its started workflow, %s', async (_, isWithdrawn) => {
  const waits = await workflow({ graph: REVIEW_GRAPH })
  const { agentId } = await setting.agent({ tools: [{ ...workflowTool(waits), timeout_ms: 60_000 }] })
  setting.model.script(setting.calls('refund', {}), 'The workflow was stopped.')
  const runs = acceptedRuns()
  const jobId = await takenOver(agentId, async () => {
    if ((await statusOf(runs[0])) !== 'awaiting_approval') return false
    if (isWithdrawn) await unpublish(waits)
    return true
  })
  await expect.poll(() => heir.context.runs.active.size, EVENTUALLY).toBe(1)
  await heir.call(`POST /api/v1/workflow-jobs/${runs[0]}/cancel`, {
    key: setting.server.seed.keys.organization,
  })
  const job: AgentJob = await setting.ended(jobId)
  expect(job).toMatchObject({ status: 'completed', result: { content: 'The workflow was stopped.' } })
  expect(setting.lastResult()).toContain('The run was cancelled before it finished.')
  expect(runs).toHaveLength(1)
})

test('a job with a lost worker continues with its called agent', async () => {
  const expert = await setting.agent({ instructions: 'EXPERT' }, { name: 'Expert' })
  const { agentId } = await setting.agent({ tools: [agentTool(expert.agentId)] })
  setting.model.script(
    setting.calls('ask_expert', { message: 'What is it?' }),
    { text: 'Too late.', firstTokenDelayMs: 5_000 },
    'It is a fact.',
    'Done.',
  )
  const jobId = await takenOver(agentId, async () => setting.model.requests.length === 2)
  expect(await setting.ended(jobId)).toMatchObject({ status: 'completed', result: { content: 'Done.' } })
  expect(setting.lastResult()).toBe('It is a fact.')
  const lastOf = setting.model.requests.map(({ body }) => JSON.stringify(body.messages?.at(-1)))
  expect(
    lastOf.filter((text) => text.includes('"x"')),
    'the first step is not repeated',
  ).toHaveLength(1)
})
