import { AnyRunId, checkedId, type MemberRole, propertyOf, WorkflowId } from '@troupe/contract'
import { rerun } from '@troupe/operations/playground/rerun'
import { cancelObservedRun, pauseObservedRun } from '@troupe/operations/runs/change-run'
import type { Transaction } from '@troupe/storage'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { REVIEW_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let workflowId: WorkflowId
const cookies: Partial<Record<MemberRole, string>> = {}

beforeAll(async () => {
  server = await startTestServer()
  const { context, seed } = server
  const { organizationId } = seed
  for (const role of ['owner', 'member', 'viewer'] as const) {
    cookies[role] = await signIn(
      server,
      await seedPerson(context.database, { organizationId, role, name: role }),
    )
  }
  workflowId = await seedWorkflow(context.database, { organizationId, projectId: null })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Run {
  runId: string
  kind: string
  status: string
  entity: { id: string; name: string | null }
}

async function call(target: string, { as = 'owner' as MemberRole, body = {} as object } = {}) {
  const [method, path] = target.split(' ')
  return server.call(`${method} /api/builder/v1/organizations/${server.seed.organizationId}${path}`, {
    key: null,
    headers: { cookie: cookies[as] ?? '', origin: ownOrigin(server) },
    ...(method === 'GET' ? {} : { body }),
  })
}

async function list(query: string): Promise<{ data: Run[]; next: string | null }> {
  const answer = await call(`GET /runs?${query}`)
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  return answer.body as { data: Run[]; next: string | null }
}

const idOf = (body: unknown, name: string) => String(propertyOf(body, name))

async function runAgent(agentId: string, body: object = {}): Promise<string> {
  const answer = await server.call(`POST /api/v1/agents/${agentId}/run`, {
    body: { message: 'Hello', ...body },
  })
  expect(answer.status).toBe(200)
  const { data } = await list(`entityId=${agentId}&limit=1`)
  return data[0]?.runId ?? ''
}

async function runWorkflow(id: string, input: object = {}): Promise<string> {
  const answer = await server.call(`POST /api/v1/workflows/${id}/run-async`, { body: { input } })
  return idOf(answer.body, 'executionId')
}

async function ended(runId: string): Promise<void> {
  await expect
    .poll(async () => propertyOf((await call(`GET /runs/${runId}`)).body, 'completedAt'))
    .not.toBeNull()
}

describe('GET /runs', () => {
  test('lists runs of agents, teams and workflows together, newest first, each once across pages', async () => {
    const { organizationId, agents } = server.seed
    const team = await seedTeam(server.context.database, { organizationId, projectId: null })
    const made = [await runAgent(agents.organization, { session_id: 'together' })]
    await server.call(`POST /api/v1/teams/${team.teamId}/run-sync`, { body: { message: 'Hello' } })
    made.push(idOf((await list(`kind=team&limit=1`)).data[0], 'runId'))
    made.push(await runWorkflow(workflowId))
    await ended(made[2] ?? '')

    const pages: Run[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: { data: Run[]; next: string | null } = await list(`limit=1${after && `&after=${after}`}`)
      pages.push(...page.data)
      after = page.next
    }
    expect(pages.map(({ runId }) => runId).slice(0, 3)).toEqual(made.toReversed())
    expect(pages.slice(0, 3).map(({ kind }) => kind)).toEqual(['workflow', 'team', 'agent'])
    expect(new Set(pages.map(({ runId }) => runId)).size).toBe(pages.length)
    expect(pages[2]).toMatchObject({
      entity: { id: agents.organization, name: expect.any(String) },
      versionNumber: 1,
      source: 'api_sync',
      status: 'completed',
      success: true,
      sessionId: 'together',
      durationMs: expect.any(Number),
      startedBy: { kind: 'api_key', name: expect.any(String) },
    })
  })

  test('every filter narrows the list', async () => {
    const { agents } = server.seed
    const runId = await runAgent(agents.project, { session_id: 's-1', user_id: 'u-1', tag: 't-1' })
    const echo = await runWorkflow(workflowId)
    await ended(echo)
    const [agentRun] = (await list(`entityId=${agents.project}&limit=1`)).data
    const apiKeyId = idOf(propertyOf(agentRun, 'startedBy'), 'id')
    const ids = async (query: string) => (await list(query)).data.map((run) => run.runId)
    const at = Number(propertyOf(agentRun, 'createdAt'))
    for (const query of [
      'sessionId=s-1',
      'userId=u-1',
      'tag=t-1',
      `entityId=${agents.project}`,
      `entityId=${agents.project}&status=completed`,
      `apiKeyId=${apiKeyId}&kind=agent&tag=t-1`,
      `kind=agent,team&source=api_sync,api_stream&userId=u-1`,
      `projectId=${server.seed.projectId}`,
      `from=${at}&to=${at + 2}&tag=t-1`,
      'test=false&tag=t-1',
    ]) {
      expect([query, await ids(query)]).toEqual([query, [runId]])
    }
    for (const query of [
      `entityId=${agents.project}&status=failed`,
      'tag=t-2',
      'test=true&tag=t-1',
      `to=${at - 3_600}`,
      'sessionId=s-1&kind=team',
    ]) {
      expect([query, await ids(query)]).toEqual([query, []])
    }
    expect(await ids('projectId=none&tag=t-1')).toEqual([])
    expect(await ids('tag=%00&userId=%ED%A0%80')).toEqual([])
    expect(await ids(`entityId=${server.seed.agents.otherOrganization}`)).toEqual([])
    expect(await ids('after=9999999999999.ffffffff-ffff-ffff-ffff-ffffffffffff&tag=t-1')).toEqual([runId])
    expect(await ids(`kind=workflow&entityId=${workflowId}&limit=1`)).toEqual([echo])
    expect(await ids('kind=workflow&status=completed&limit=1')).toEqual([echo])
  })

  test('incomplete runs are found by their status, even while they wait', async () => {
    const { organizationId } = server.seed
    const waiting = await seedWorkflow(server.context.database, {
      ...{ organizationId, projectId: null },
      name: 'Waiting',
      graph: REVIEW_GRAPH,
    })
    const runId = await runWorkflow(waiting)
    await expect
      .poll(async () => (await list('status=awaiting_approval')).data.map((run) => run.runId))
      .toEqual([runId])
    const [run] = (await list('status=awaiting_approval,failed')).data
    expect(run).toMatchObject({ entity: { name: 'Waiting' }, statusReason: expect.stringContaining('Ask') })

    expect((await call(`POST /runs/${runId}/cancel`, { as: 'viewer' })).status).toBe(403)
    expect((await call(`POST /runs/${runId}/pause`, { as: 'member' })).body).toEqual({
      runId,
      status: 'paused',
    })
    expect((await call(`POST /runs/${runId}/pause`)).body).toEqual({ runId, status: 'paused' })
    expect((await call(`POST /runs/${runId}/resume`)).body).toEqual({ runId, status: 'awaiting_approval' })
    expect((await call(`POST /runs/${runId}/resume`)).body).toMatchObject({ error: 'invalid_state' })
    expect((await call(`POST /runs/${runId}/cancel`)).body).toEqual({ runId, status: 'cancelled' })
    expect((await call(`POST /runs/${runId}/cancel`)).body).toEqual({ runId, status: 'cancelled' })
    expect((await list(`entityId=${waiting}&status=cancelled`)).data).toHaveLength(1)
    const { body } = await call(`GET /audit?entityId=${runId}`)
    expect((body as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'run.cancelled',
      'run.resumed',
      'run.paused',
    ])
  })

  test('a run is unchanged if its change cannot be audited', async () => {
    const { organizationId } = server.seed
    const { database } = server.context
    const waiting = await seedWorkflow(database, { organizationId, projectId: null, graph: REVIEW_GRAPH })
    const runId = await runWorkflow(waiting)
    const statusOf = async () => propertyOf((await call(`GET /runs/${runId}`)).body, 'status')
    await expect.poll(statusOf).toBe('awaiting_approval')
    const full = new Error('the audit log is full')
    const parts = {
      database: {
        observed: database.observed,
        transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
          database.transaction((tx) =>
            work({
              ...tx,
              write: { ...tx.write, audit: { ...tx.write.audit, append: () => Promise.reject(full) } },
            }),
          ),
      },
      send: () => {},
      now: () => Date.now(),
    }
    const actor = { kind: 'operator', id: null, ip: null, requestId: null } as const
    const caller = { organizationId, projectId: null, role: 'owner', userId: null, actor } as const
    await expect(pauseObservedRun(parts, caller, runId)).rejects.toBe(full)
    await expect(cancelObservedRun(parts, caller, runId)).rejects.toBe(full)
    expect(await statusOf()).toBe('awaiting_approval')
    await call(`POST /runs/${runId}/cancel`)
  })

  test.each([
    ['kind=robot', 'kind'],
    ['status=completed,done', 'status'],
    ['kind=agent&kind=team', 'kind'],
    ['after=yesterday', 'after'],
    ['limit=501', 'limit'],
    ['after=99999999999999.ffffffff-ffff-ffff-ffff-ffffffffffff', 'after'],
    ['from=2026-01-01', 'from'],
  ])('400 for %s', async (query, path) => {
    const answer = await call(`GET /runs?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error', errors: [{ path }] } })
  })
})

describe('GET /runs/{runId}', () => {
  test('a run of a team has its members, its calls and the texts of each', async () => {
    const { organizationId } = server.seed
    const { teamId } = await seedTeam(server.context.database, {
      ...{ organizationId, projectId: null },
      config: { mode: 'parallel' },
    })
    await server.call(`POST /api/v1/teams/${teamId}/run-sync`, { body: { message: 'Which way?' } })
    const [listed] = (await list(`entityId=${teamId}`)).data
    const { status, body } = await call(`GET /runs/${listed?.runId}`, { as: 'viewer' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...listed,
      workflowRun: null,
      agentRun: {
        input: 'Which way?',
        members: [
          { agentName: 'Billing', stepKey: expect.stringMatching(/^member:/), status: 'completed' },
          { agentName: 'Support', versionNumber: 1, content: expect.any(String) },
        ],
        plan: null,
      },
    })
    const { calls, messages } = propertyOf(body, 'agentRun') as { calls: object[]; messages: object[] }
    expect(calls.length).toBeGreaterThanOrEqual(2)
    expect(calls[0]).toMatchObject({ modelId: 'sandbox-1', ok: true, latencyMs: expect.any(Number) })
    expect(messages[0]).toMatchObject({ role: 'user', content: 'Which way?' })
  })

  test('a run of a workflow has its nodes, and each node its values without secrets', async () => {
    const runId = await runWorkflow(workflowId, { city: 'Rome', password: 'hunter2' })
    await ended(runId)
    const { body } = await call(`GET /runs/${runId}`)
    expect(body).toMatchObject({
      kind: 'workflow',
      agentRun: null,
      workflowRun: {
        input: { city: 'Rome', password: '[redacted]' },
        nodeCount: 1,
        failedNodeCount: 0,
        nodes: [{ nodeId: 'start', name: 'Start', type: 'manual-trigger', path: '', status: 'completed' }],
        reviews: [],
        traceErased: false,
      },
    })
    expect(JSON.stringify(body)).not.toContain('hunter2')
    const nodes = await call(`GET /runs/${runId}/nodes?path=&limit=1`)
    expect(nodes.body).toMatchObject({ data: [{ nodeId: 'start' }], next: null })
    const node = await call(`GET /runs/${runId}/nodes/start`)
    expect(node.body).toMatchObject({ nodeId: 'start', output: { city: 'Rome', password: '[redacted]' } })
    expect((await call(`GET /runs/${runId}/nodes/none`)).body).toMatchObject({ error: 'run_not_found' })
  })
})

describe('actions on a run', () => {
  test('a job can be followed and repeated; the new run has the same input and is audited', async () => {
    const { agents } = server.seed
    const job = await server.call(`POST /api/v1/agents/${agents.organization}/run-async`, {
      body: { message: 'Once more' },
    })
    const runId = idOf(job.body, 'jobId')
    await ended(runId)
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const path = `/api/builder/v1/organizations/${server.seed.organizationId}/runs/${runId}/stream`
    const stream = await fetch(`${address}${path}`, { headers: { cookie: cookies.viewer ?? '' } })
    expect(await stream.text()).toContain('event: RunCompleted')
    const again = await call(`POST /runs/${runId}/rerun`, { as: 'member' })
    expect(again).toMatchObject({ status: 202, body: { kind: 'agent' } })
    const second = idOf(again.body, 'runId')
    expect(second).not.toBe(runId)
    await ended(second)
    const { body } = await call(`GET /runs/${second}`)
    expect(body).toMatchObject({
      ...{ agentRun: { input: 'Once more' }, source: 'api_async' },
      startedBy: { kind: 'user', name: 'member' },
    })
    expect(propertyOf(body, 'sessionId')).not.toBe(
      propertyOf((await call(`GET /runs/${runId}`)).body, 'sessionId'),
    )
    expect((await call(`POST /runs/${runId}/pause`)).body).toMatchObject({ error: 'invalid_state' })
    expect((await call(`POST /runs/${runId}/rerun`, { as: 'viewer' })).status).toBe(403)
  })

  test('a workflow run is repeated with its original input, by the user', async () => {
    const runId = await runWorkflow(workflowId, { password: 'hunter2' })
    await ended(runId)
    const second = idOf((await call(`POST /runs/${runId}/rerun`)).body, 'runId')
    await ended(second)
    const { body } = await call(`GET /runs/${second}`)
    expect(body).toMatchObject({ status: 'completed', startedBy: { kind: 'user', name: 'owner' } })
    const { seed, context } = server
    const stored = await context.database.observed.run(seed.organizationId, checkedId(AnyRunId, second), {
      nodes: 0,
    })
    expect(propertyOf(propertyOf(stored, 'workflowRun'), 'input')).toEqual({ password: 'hunter2' })
  })

  test('a repeated run succeeds and logs an error if its audit row cannot be written', async () => {
    const runId = await runWorkflow(workflowId)
    await ended(runId)
    const { context, seed } = server
    const { database, runs, workflows, newId, clock } = context
    const unaudited: unknown[] = []
    const away: typeof database.transaction = async () => {
      throw new Error('the database is away')
    }
    const person = await seedPerson(database, {
      organizationId: seed.organizationId,
      role: 'owner',
      name: 'Rey',
    })
    const { organizationId } = seed
    const actor = { kind: 'user', id: person.userId, ip: null, requestId: null } as const
    const again = await rerun(
      {
        database: { ...database, transaction: away },
        runner: runs.runner,
        graphs: workflows.graphs,
        workflows: workflows.runner,
        newId,
        now: () => clock.now(),
        onUnaudited: (_, id) => unaudited.push(id),
      },
      { organizationId, projectId: null, userId: person.userId, role: 'owner', actor },
      runId,
    )
    expect(unaudited).toEqual([again.runId])
    await ended(again.runId)
  })

  test('a run of a schedule is repeated as a manual run, so that it does not delay the next fire', async () => {
    const step = { id: 'say', type: 'edit-fields', name: 'Say', config: { rows: [] } }
    const daily = {
      ...{ id: 'daily', type: 'recurrence', name: 'Daily' },
      config: { mode: 'cron', cron: '0 9 * * *', timezone: 'UTC', overlap: 'skip' },
    }
    const draft = { nodes: [daily, step], edges: [{ id: 'e1', source: 'daily', target: 'say' }] }
    const made = await call('POST /workflows', { body: { name: 'Every morning', draft } })
    const scheduled = idOf(made.body, 'workflowId')
    await call(`POST /workflows/${scheduled}/publish`, { body: { draftRevision: 1 } })
    const { context, seed } = server
    const { runId } = await context.workflows.runner.start({
      scope: { organizationId: seed.organizationId, projectId: null },
      workflowId: checkedId(WorkflowId, scheduled),
      ...{ versionId: null, source: 'schedule', firedNodeId: 'daily', scheduledFor: context.clock.now() },
      ...{
        input: {},
        apiKeyId: null,
        startedByUserId: null,
        idempotency: null,
        createdAt: context.clock.now(),
      },
    })
    await ended(runId)
    expect((await call(`GET /runs/${runId}`)).body).toMatchObject({ source: 'schedule', status: 'completed' })
    const again = idOf((await call(`POST /runs/${runId}/rerun`)).body, 'runId')
    await ended(again)
    const repeated = (await call(`GET /runs/${again}`)).body
    expect(repeated).toMatchObject({ source: 'builder', status: 'completed' })
    expect(propertyOf(propertyOf(repeated, 'workflowRun'), 'scheduledFor') ?? null).toBeNull()
  })

  test('a run of a replaced schedule is not repeated, because it would start every other branch', async () => {
    const schedule = (id: string) => ({
      ...{ id, type: 'recurrence', name: id },
      config: { mode: 'cron', cron: '0 9 * * *', timezone: 'UTC' },
    })
    const step = { id: 'say', type: 'edit-fields', name: 'Say', config: { rows: [] } }
    const graph = (id: string) => ({
      nodes: [schedule(id), { id: 'start', type: 'manual-trigger', name: 'Start' }, step],
      edges: [
        { id: 'e1', source: id, target: 'say' },
        { id: 'e2', source: 'start', target: 'say' },
      ],
    })
    const made = await call('POST /workflows', { body: { name: 'Daily', draft: graph('daily') } })
    const path = `/workflows/${idOf(made.body, 'workflowId')}`
    await call(`POST ${path}/publish`, { body: { draftRevision: 1 } })
    const run = await call(`POST ${path}/runs`, { body: { triggerNodeId: 'daily', payload: {} } })
    const runId = idOf(run.body, 'executionId')
    await ended(runId)
    expect((await call(`POST /runs/${runId}/rerun`)).status).toBe(202)
    await call(`PUT ${path}`, { body: { draft: graph('weekly'), draftRevision: 1 } })
    await call(`POST ${path}/publish`, { body: { draftRevision: 2 } })
    expect(await call(`POST /runs/${runId}/rerun`)).toMatchObject({
      status: 409,
      body: {
        error: 'invalid_state',
        message: 'The published version no longer has the trigger that started this run.',
      },
    })
  })

  test('a synchronous run and a workflow have no stream', async () => {
    const sync = await runAgent(server.seed.agents.organization)
    const runId = await runWorkflow(workflowId)
    for (const id of [sync, runId]) {
      expect((await call(`GET /runs/${id}/stream`)).body).toMatchObject({ error: 'invalid_state' })
    }
  })
})

describe('conversations', () => {
  test('are listed with their agent or team, and read with their turns page by page', async () => {
    const { agents } = server.seed
    for (const message of ['One', 'Two', 'Three']) {
      await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
        body: { message, session_id: 'talk', user_id: 'ana' },
      })
    }
    const { body } = await call(`GET /sessions?entityId=${agents.organization}&userId=ana`)
    expect(body).toMatchObject({
      data: [
        {
          ...{ sessionId: 'talk', kind: 'agent', entity: { name: 'Organization agent' }, userId: 'ana' },
          ...{ runs: 3, firstMessage: 'One', lastStatus: 'completed', costUsd: null },
        },
      ],
      next: null,
    })
    expect((await call('GET /sessions?userId=nobody')).body).toEqual({ data: [], next: null })
    expect((await call('GET /sessions?sessionId=talk&projectId=none')).body).toMatchObject({ data: [{}] })
    const first = (await call('GET /sessions?limit=1')).body
    const after = String(propertyOf(first, 'next'))
    expect((await call(`GET /sessions?limit=1&after=${after}`)).body).not.toEqual(first)
    const data = propertyOf(body, 'data') as { id: string }[]
    const path = `/sessions/${data[0]?.id}`
    const newest = (await call(`GET ${path}?limit=2`)).body
    expect(newest).toMatchObject({
      turns: [
        { seq: 3, input: 'Three', content: expect.stringContaining('Three'), run: { status: 'completed' } },
        { seq: 2, input: 'Two' },
      ],
      next: 2,
      summary: null,
    })
    const older = (await call(`GET ${path}?limit=2&before=2`)).body
    expect(older).toMatchObject({ turns: [{ seq: 1, input: 'One' }], next: null })
  })
})

test('the first message of a conversation is hidden in the list like its texts in its turns', async () => {
  const config = { privacy: { trace_inputs: false } }
  const { body } = await server.call('POST /api/v1/agents', { body: { name: 'Discreet', config } })
  const agentId = propertyOf(body, 'agentId')
  await server.call(`POST /api/v1/agents/${agentId}/run`, { body: { message: 'Secret', session_id: 'hush' } })
  const listed = (await call(`GET /sessions?entityId=${agentId}`)).body
  expect(listed).toMatchObject({ data: [{ sessionId: 'hush', firstMessage: null }] })
  expect(JSON.stringify(listed)).not.toContain('Secret')
})

describe('GET /run-histogram', () => {
  test('counts the runs of the list over time, by outcome', async () => {
    const listed = (await list('kind=agent&limit=100')).data.length
    const { body } = await call('GET /run-histogram?kind=agent&buckets=24')
    expect(body).toMatchObject({ bucketSeconds: 3600, countedFrom: null })
    const data = propertyOf(body, 'data') as { completed: number; failed: number; at: number }[]
    expect(data.reduce((all, { completed }) => all + completed, 0)).toBe(listed)
    expect((await call('GET /run-histogram?tag=none-has-it')).body).toMatchObject({ data: [] })
    expect((await call('GET /run-histogram?from=10&to=10')).status).toBe(400)
  })
})
