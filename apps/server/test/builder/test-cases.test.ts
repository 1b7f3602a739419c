import { propertyOf } from '@troupe/contract'
import type { TestCase } from '@troupe/contract/builder'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

type Member = Awaited<ReturnType<typeof asMember>>

let server: TestServer
let eva: Member
let ada: Member
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
  ada = await asMember(server, 'admin', 'Ada')
})
afterAll(() => server[Symbol.asyncDispose]())

const fields = (id: string, value: string) => node(id, 'edit-fields', { rows: [{ name: 'v', value }] })

/** An agent answers, and a step stores its answer. */
const graphOf = (kept = '{{ upstream.ask.output }}') => ({
  nodes: [
    node('start', 'manual-trigger'),
    node('ask', 'ai-agent', { agentId: server.seed.agents.organization, message: '{{ trigger.text }}' }),
    fields('keep', kept),
  ],
  edges: [edge('start', 'ask'), edge('ask', 'keep')],
})

interface Made {
  workflowId: string
  draftRevision: number
}

async function made(graph: object): Promise<Made> {
  const { body } = await eva.send('POST /workflows', { name: 'Cases', draft: graph })
  return body as Made
}

async function ended(runId: string): Promise<void> {
  const read = async () => propertyOf((await eva.send(`GET /runs/${runId}`)).body, 'completedAt')
  await expect.poll(read, { timeout: 15_000 }).not.toBeNull()
}

/** Tests the draft and waits for its end. */
async function tested({ workflowId, draftRevision }: Made, payload: object): Promise<string> {
  const body = { draftRevision, scope: { kind: 'all' }, payload }
  const started = await eva.send(`POST /workflows/${workflowId}/test-runs`, body)
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  const runId = String(propertyOf(started.body, 'executionId'))
  await ended(runId)
  return runId
}

async function caseFrom(workflow: Made, fromRunId: string, more: object = {}): Promise<TestCase> {
  const answer = await eva.send(`POST /workflows/${workflow.workflowId}/test-cases`, { fromRunId, ...more })
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body as TestCase
}

const listed = async ({ workflowId }: Made, as: BuilderClient = eva) =>
  propertyOf((await as.send(`GET /workflows/${workflowId}/test-cases`)).body, 'data') as TestCase[]

/** Runs a case, and returns it once it has a verdict. */
async function ran(workflow: Made, { testCaseId }: TestCase): Promise<TestCase> {
  const { workflowId, draftRevision } = workflow
  const started = await eva.send(`POST /workflows/${workflowId}/test-cases/${testCaseId}/run`, {
    draftRevision,
  })
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  await ended(String(propertyOf(started.body, 'executionId')))
  const found = (await listed(workflow)).find((one) => one.testCaseId === testCaseId)
  if (!found) throw new Error('the case is gone')
  return found
}

async function edited({ workflowId, draftRevision }: Made, changed: object): Promise<Made> {
  const answer = await eva.send(`POST /workflows/${workflowId}/draft`, {
    draftRevision,
    changes: [{ put: { node: changed } }],
  })
  expect(answer.status).toBe(200)
  return { workflowId, draftRevision: Number(propertyOf(answer.body, 'draftRevision')) }
}

const publish = ({ workflowId, draftRevision }: Made, as: BuilderClient = eva, more: object = {}) =>
  as.send(`POST /workflows/${workflowId}/publish`, { draftRevision, ...more })

describe('a test case', () => {
  test('is created from a run in one request, mocks its effects and expects its status and output', async () => {
    const workflow = await made(graphOf())
    const runId = await tested(workflow, { text: 'Hello' })
    const one = await caseFrom(workflow, runId)
    expect(one).toMatchObject({
      name: 'Case 1',
      triggerNodeId: 'start',
      mocks: [{ nodeId: 'ask', path: '' }],
      expect: { status: 'completed', output: { kind: 'equals', value: { v: expect.any(String) } } },
      blocking: false,
      version: 1,
      fromRunId: runId,
      result: null,
    })
    const passed = await ran(workflow, one)
    expect(passed.result).toMatchObject({ verdict: 'passed', isCurrent: true, differences: [] })
    const run = (await eva.send(`GET /runs/${passed.result?.runId}`)).body
    expect(propertyOf(run, 'workflowRun')).toMatchObject({
      nodes: [{ nodeId: 'start' }, { nodeId: 'ask', seeded: { origin: 'mock' } }, { nodeId: 'keep' }],
    })
    const details = (await eva.send(`GET /workflows/${workflow.workflowId}/test-cases/${one.testCaseId}`))
      .body
    expect(details).toMatchObject({ payload: { text: 'Hello' } })
  })

  test('reports differences of the output, and counts for exactly the tested draft', async () => {
    const before = await made(graphOf())
    const one = await caseFrom(before, await tested(before, { text: 'Hi' }), { name: 'Greets' })
    const after = await edited(before, fields('keep', 'nothing'))
    const failed = await ran(after, one)
    expect(failed.result).toMatchObject({
      verdict: 'failed',
      isCurrent: true,
      differences: [{ path: 'output.v', actual: '"nothing"' }],
    })
    const mended = await edited(after, fields('keep', '{{ upstream.ask.output }}'))
    expect((await listed(mended))[0]?.result).toMatchObject({ verdict: 'failed', isCurrent: false })
  })

  test('is changed from the version that was read, and a step without a mock runs again', async () => {
    const workflow = await made(graphOf())
    const one = await caseFrom(workflow, await tested(workflow, { text: 'Hi' }))
    const path = `PUT /workflows/${workflow.workflowId}/test-cases/${one.testCaseId}`
    const changed = await eva.send(path, {
      version: 1,
      name: 'Asks',
      removeMocks: ['ask'],
      payload: { text: 'Other' },
      expect: { status: 'completed', output: { kind: 'contains', value: { v: 'Other' } } },
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Asks', version: 2, mocks: [] } })
    expect(await eva.send(path, { version: 1, name: 'Late' })).toMatchObject({
      status: 409,
      body: { error: 'version_conflict', current: { number: 2 } },
    })
    expect((await ran(workflow, one)).result).toMatchObject({ verdict: 'passed' })
    const large = { kind: 'equals', value: 'x'.repeat(70_000) }
    expect(
      await eva.send(path, { version: 2, expect: { status: 'completed', output: large } }),
    ).toMatchObject({ status: 400, body: { errors: [{ path: 'expect.output.value' }] } })
    const gone = `DELETE /workflows/${workflow.workflowId}/test-cases/${one.testCaseId}`
    expect((await eva.send(gone)).status).toBe(204)
    expect(await eva.send(gone)).toMatchObject({ status: 404, body: { error: 'test_case_not_found' } })
    expect(await listed(workflow)).toEqual([])
  })

  test('is not created from a run of another workflow', async () => {
    const [one, other] = [await made(graphOf()), await made(graphOf())]
    const runId = await tested(one, { text: 'Hi' })
    const make = (fromRunId: string) =>
      eva.send(`POST /workflows/${other.workflowId}/test-cases`, { fromRunId })
    expect(await make(runId)).toMatchObject({ status: 404, body: { error: 'run_not_found' } })
  })

  test('masks the values of password fields', async () => {
    const form = node('form', 'form-trigger', {
      title: 'Sign in',
      fields: [{ name: 'secret', label: 'Secret', type: 'password', required: true }],
    })
    const workflow = await made({
      nodes: [form, fields('keep', 'It is {{ trigger.body.secret }}')],
      edges: [edge('form', 'keep')],
    })
    const runId = await tested(workflow, { body: { secret: 'open sesame' } })
    const one = await caseFrom(workflow, runId)
    expect(JSON.stringify(one)).not.toContain('open sesame')
    const details = await eva.send(`GET /workflows/${workflow.workflowId}/test-cases/${one.testCaseId}`)
    expect(JSON.stringify(details.body)).not.toContain('open sesame')
    const passed = await ran(workflow, one)
    expect(passed.result).toMatchObject({ verdict: 'passed' })
    const changed = await edited(workflow, fields('keep', 'It was {{ trigger.body.secret }}'))
    const failed = await ran(changed, one)
    expect(failed.result).toMatchObject({ verdict: 'failed' })
    expect(JSON.stringify(failed)).not.toContain('open sesame')
  })
})

describe('a blocking test case', () => {
  test('prevents publishing until it has passed for exactly this draft', async () => {
    const workflow = await made(graphOf())
    const one = await caseFrom(workflow, await tested(workflow, { text: 'Hi' }), {
      name: 'Greets',
      blocking: true,
    })
    expect(await publish(workflow)).toMatchObject({
      status: 409,
      body: { error: 'tests_not_passed', message: 'The test case “Greets” has never been run.' },
    })
    const preview = (await eva.send(`GET /workflows/${workflow.workflowId}/publish-preview`)).body
    expect(preview).toMatchObject({ tests: [{ name: 'Greets', message: 'has never been run' }] })
    await ran(workflow, one)
    const moved = await edited(workflow, {
      ...fields('keep', '{{ upstream.ask.output }}'),
      position: { x: 90, y: 9 },
    })
    // Positions of steps change nothing that a test could see.
    expect((await publish(moved)).status).toBe(200)
    const changed = await edited(moved, fields('keep', 'else'))
    expect(await publish(changed)).toMatchObject({
      status: 409,
      body: { message: 'The test case “Greets” has not been run for this draft.' },
    })
    await ran(changed, one)
    expect(await publish(changed)).toMatchObject({
      status: 409,
      body: { message: 'The test case “Greets” has failed for this draft.' },
    })
  })

  test('is bypassed by owners and admins only, with an audit entry', async () => {
    const workflow = await made(graphOf())
    await caseFrom(workflow, await tested(workflow, { text: 'Hi' }), { name: 'Greets', blocking: true })
    expect(await publish(workflow, eva, { ignoreTests: true })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect((await publish(workflow, ada, { ignoreTests: true })).status).toBe(200)
    const { body } = await ada.send(`GET /audit?entityId=${workflow.workflowId}&action=workflow.published`)
    expect(propertyOf(body, 'data')).toMatchObject([{ after: { ignoredTests: ['Greets'] } }])
  })

  test('must pass again after a change', async () => {
    const workflow = await made(graphOf())
    const one = await caseFrom(workflow, await tested(workflow, { text: 'Hi' }), { blocking: true })
    await ran(workflow, one)
    await eva.send(`PUT /workflows/${workflow.workflowId}/test-cases/${one.testCaseId}`, {
      version: 1,
      name: 'Renamed',
    })
    expect(await publish(workflow)).toMatchObject({ status: 409, body: { error: 'tests_not_passed' } })
  })
})
