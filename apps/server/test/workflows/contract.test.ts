import { randomUUID } from 'node:crypto'
import type { OrganizationId, ProjectId } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

interface Place {
  organizationId?: OrganizationId
  projectId?: ProjectId | null
  publish?: boolean
}

function workflow(graph?: unknown, place: Place = {}): Promise<string> {
  const { organizationId } = server.seed
  return seedWorkflow(server.context.database, {
    organizationId,
    projectId: null,
    ...(graph === undefined ? {} : { graph }),
    ...place,
  })
}

/** A graph that waits for a person. */
const REVIEW = {
  nodes: [node('start', 'manual-trigger'), node('ask', 'human-review', { title: 'Approve refund' })],
  edges: [edge('start', 'ask')],
}

const run = (id: string, body?: object | string, key?: string): Promise<TestAnswer> =>
  server.call(`POST /api/v1/workflows/${id}/run`, {
    ...(body === undefined ? {} : { body }),
    ...(key && { key }),
  })
const start = async (id: string, input: object = {}): Promise<string> => {
  const { body } = await server.call(`POST /api/v1/workflows/${id}/run-async`, { body: { input } })
  return (body as { executionId: string }).executionId
}
const job = (id: string, suffix = '', method = suffix === '' ? 'GET' : 'POST') =>
  server.call(`${method} /api/v1/workflow-jobs/${id}${suffix}`)
const statusOf = async (id: string) => ((await job(id)).body as { status: string }).status

describe('starting a run', () => {
  test('needs no body, and the response has exactly the fields of the contract', async () => {
    const id = await workflow()
    const answer = await run(id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflowId: id,
      status: 'completed',
      output: {},
      error: null,
      createdAt: expect.any(Number),
    })
  })

  test('a body that is not valid is 400 with the path of every failure', async () => {
    const id = await workflow()
    expect(await run(id, { input: [1] })).toMatchObject({
      status: 400,
      body: { error: 'validation_error', errors: [{ path: 'input' }] },
    })
    expect(await run(id, '{"input": ')).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  })

  test('an unknown, malformed or foreign id is the same 404', async () => {
    const { otherOrganizationId } = server.seed
    const foreign = await workflow(undefined, { organizationId: otherOrganizationId })
    const answers = await Promise.all([randomUUID(), 'no-uuid', foreign].map((id) => run(id)))
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'workflow_not_found' } })
      expect(answer.body).toEqual(answers[0]?.body)
    }
  })

  test('a workflow of another project is 403 for a project key', async () => {
    const { otherProjectId, keys } = server.seed
    const id = await workflow(undefined, { projectId: otherProjectId })
    expect(await run(id, {}, keys.project)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  })

  test('a workflow that is not published is 409', async () => {
    const id = await workflow(undefined, { publish: false })
    expect(await run(id)).toMatchObject({ status: 409, body: { error: 'workflow_not_published' } })
  })

  test('the same Idempotency-Key with the same body is the same run, with another body 409', async () => {
    const id = await workflow()
    const call = (input: object) =>
      server.call(`POST /api/v1/workflows/${id}/run`, {
        body: { input },
        headers: { 'idempotency-key': 'once' },
      })
    const first = await call({ n: 1 })
    // The time of the run, not of the request that repeats it.
    vi.spyOn(server.context.clock, 'now').mockImplementation(() => Date.now() + 5_000)
    expect((await call({ n: 1 })).body).toEqual(first.body)
    expect(await call({ n: 2 })).toMatchObject({ status: 409, body: { error: 'idempotency_conflict' } })
  })
})

describe('faults of a graph at run time', () => {
  const DECLARED = {
    nodes: [
      node('hook', 'http-request', {
        fields: [
          { name: 'orderId', type: 'string', required: true },
          { name: 'qty', type: 'number' },
        ],
      }),
    ],
    edges: [],
  }

  test('a payload that does not match the declared fields fails the run and is reported by field', async () => {
    const id = await workflow(DECLARED)
    expect(await run(id, { input: { qty: 'two' } })).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        output: null,
        error:
          'Payload does not match the HTTP Request trigger: "orderId" is required; "qty" must be a number (got string)',
      },
    })
    expect((await run(id, { input: { orderId: 'a', extra: 1 } })).body).toMatchObject({ status: 'completed' })
  })

  test('unreachable nodes fail the run before its first node', async () => {
    const id = await workflow({
      nodes: [
        node('start', 'manual-trigger'),
        node('orphan', 'edit-fields', { rows: [{ name: 'a', value: 1 }] }),
      ],
      edges: [],
    })
    expect((await run(id)).body).toMatchObject({
      status: 'failed',
      error: 'Nodes never became reachable: orphan (no path from a trigger)',
    })
  })
})

describe('a run in flight', () => {
  test('that waits for a person reports that, has no result, and is cancelled once', async () => {
    const id = await start(await workflow(REVIEW))
    await expect.poll(() => statusOf(id)).toBe('awaiting_approval')
    expect((await job(id)).body).toEqual({
      executionId: id,
      workflowId: expect.any(String),
      status: 'awaiting_approval',
      startedAt: expect.any(Number),
      completedAt: null,
      error: null,
      statusReason: 'waiting for 1 review: "ask"',
    })
    expect(await job(id, '/result', 'GET')).toMatchObject({ status: 409, body: { error: 'not_finished' } })
    expect((await job(id, '/cancel')).body).toEqual({ executionId: id, status: 'cancelled' })
    expect((await job(id, '/cancel')).body).toEqual({ executionId: id, status: 'cancelled' })
    expect((await job(id)).body).toMatchObject({ status: 'cancelled', statusReason: null })
  })

  test('that has ended keeps its verdict, and cannot be paused or resumed', async () => {
    const id = await start(await workflow())
    await expect.poll(() => statusOf(id)).toBe('completed')
    expect((await job(id, '/cancel')).body).toEqual({ executionId: id, status: 'completed' })
    for (const change of ['/pause', '/resume']) {
      expect(await job(id, change)).toMatchObject({ status: 409, body: { error: 'invalid_state' } })
    }
  })

  test('is paused, and resumes where it stopped', async () => {
    const id = await start(await workflow(REVIEW))
    await expect.poll(() => statusOf(id)).toBe('awaiting_approval')
    expect((await job(id, '/pause')).body).toEqual({ executionId: id, status: 'paused' })
    expect((await job(id)).body).toMatchObject({ statusReason: 'paused by a person' })
    await job(id, '/resume')
    await expect.poll(() => statusOf(id)).toBe('awaiting_approval')
    await job(id, '/cancel')
  })

  test('is not found by the ids of agents’ jobs, nor by unknown ones', async () => {
    const { agents } = server.seed
    const { body } = await server.call(`POST /api/v1/agents/${agents.organization}/run-async`, {
      body: { message: 'Hi' },
    })
    const agentJob = (body as { jobId: string }).jobId
    for (const id of [agentJob, randomUUID(), 'no-uuid']) {
      expect(await job(id)).toMatchObject({ status: 404, body: { error: 'job_not_found' } })
      expect(await job(id, '/cancel')).toMatchObject({ status: 404, body: { error: 'job_not_found' } })
    }
    const workflowRun = await start(await workflow())
    expect(await server.call(`GET /api/v1/jobs/${workflowRun}`)).toMatchObject({ status: 404 })
  })
})

test('an organization at its ceiling gets 429 with a recorded run, and an ended run frees a slot', async () => {
  await using crowded = await startTestServer()
  const { organizationId } = crowded.seed
  const id = await seedWorkflow(crowded.context.database, { organizationId, projectId: null, graph: REVIEW })
  const call = (action: string) => crowded.call(`POST /api/v1/workflows/${id}/${action}`)
  const read = async (executionId: string) =>
    (await crowded.call(`GET /api/v1/workflow-jobs/${executionId}`)).body as Record<string, unknown>
  const runs: string[] = []
  // The ceiling of the seed's organizations.
  for (let n = 0; n < 20; n += 1) {
    runs.push(((await call('run-async')).body as { executionId: string }).executionId)
  }
  for (const action of ['run-async', 'run']) {
    const refused = await call(action)
    expect(refused).toMatchObject({ status: 429, body: { error: 'concurrency_limit_reached' } })
    const { executionId } = refused.body as { executionId: string }
    expect(await read(executionId)).toMatchObject({
      status: 'concurrency_limit_reached',
      startedAt: null,
      completedAt: expect.any(Number),
      error: expect.any(String),
    })
  }
  await crowded.call(`POST /api/v1/workflow-jobs/${runs[0]}/cancel`)
  expect((await call('run-async')).status).toBe(202)
})

test('a used-up budget blocks a run before it begins, and the poll names the budget', async () => {
  await using thrifty = await startTestServer()
  const { organizationId } = thrifty.seed
  const { database } = thrifty.context
  const id = await seedWorkflow(database, { organizationId, projectId: null })
  await database.transaction(({ write }) =>
    write.budgets.put({
      id: randomUUID(),
      organizationId,
      projectId: null,
      metric: 'workflow_runs',
      limitMicros: 2_000_000,
      period: 'month',
    }),
  )
  const call = () => thrifty.call(`POST /api/v1/workflows/${id}/run`)
  expect((await call()).body).toMatchObject({ status: 'completed' })
  expect((await call()).body).toMatchObject({ status: 'completed' })
  const blocked = (await call()).body as { executionId: string; error: string }
  expect(blocked).toMatchObject({ status: 'policy_blocked', output: null })
  expect(blocked.error).toBe('The budget for workflow runs is used up: 2 of 2 this month.')
  const polled = await thrifty.call(`GET /api/v1/workflow-jobs/${blocked.executionId}`)
  expect(polled.body).toMatchObject({ status: 'policy_blocked', error: blocked.error, startedAt: null })
})
