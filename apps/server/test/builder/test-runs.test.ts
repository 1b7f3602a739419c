import { propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'
import { publishWorkflow, startWorkflow } from './started-workflow.ts'

type Member = Awaited<ReturnType<typeof asMember>>

let server: TestServer
let eva: Member
let olga: Member
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
  olga = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

interface Detail {
  status: string
  error: { message: string } | null
  isTest: boolean
  versionNumber: number | null
  workflowRun: {
    input: unknown
    output: unknown
    nodes: { nodeId: string; status: string; seeded: { origin: string; fromRunId: string | null } | null }[]
    reviews: { reviewId: string; status: string }[]
    test: { scope: object; allowEffects: unknown } | null
  }
}

const row = (id: string, value: string) => ({ rows: [{ name: 'v', value }], id })
const fields = (id: string, value: string) => node(id, 'edit-fields', { rows: row(id, value).rows })

/** A draft that is not published. */
async function draftOf(
  graph: object,
  as: BuilderClient = eva,
): Promise<{ workflowId: string; draftRevision: number }> {
  const { status, body } = await as.send('POST /workflows', { name: 'Tried', draft: graph })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as { workflowId: string; draftRevision: number }
}

async function ended(runId: string, as: BuilderClient = eva): Promise<Detail> {
  const isOver = async () =>
    (await as.send(`GET /runs/${runId}`)).body as Detail & { completedAt: number | null }
  await expect.poll(async () => (await isOver()).completedAt, { timeout: 15_000 }).not.toBeNull()
  return isOver()
}

/** Starts a test and waits for its end. */
async function tested(
  { workflowId, draftRevision }: { workflowId: string; draftRevision: number },
  body: object,
  as: BuilderClient = eva,
): Promise<Detail & { runId: string }> {
  const started = await as.send(`POST /workflows/${workflowId}/test-runs`, { draftRevision, ...body })
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  const runId = String(propertyOf(started.body, 'executionId'))
  return { ...(await ended(runId, as)), runId }
}

const agentNode = (id: string, message: string, config: object = {}) =>
  node(id, 'ai-agent', { agentId: server.seed.agents.organization, message, ...config })

const ALL = { scope: { kind: 'all' } }
const stateOf = ({ workflowRun }: Detail) =>
  Object.fromEntries(
    workflowRun.nodes.map(({ nodeId, status, seeded }) => [nodeId, seeded?.origin ?? status]),
  )

describe('a test of a draft', () => {
  test('runs before the first publish, and equal drafts are one version without a number', async () => {
    const graph = {
      nodes: [node('start', 'manual-trigger'), fields('a', '{{ trigger.n }}')],
      edges: [edge('start', 'a')],
    }
    const draft = await draftOf(graph)
    const one = await tested(draft, { ...ALL, payload: { n: 7 } })
    expect(one).toMatchObject({
      status: 'completed',
      isTest: true,
      versionNumber: null,
      workflowRun: { output: { v: 7 }, test: { scope: { kind: 'all', nodeId: null, path: null } } },
    })
    const two = await tested(draft, { ...ALL, payload: { n: 8 } })
    expect(propertyOf(two, 'versionId')).toBe(propertyOf(one, 'versionId'))
    const version = await eva.send(
      `GET /workflows/${draft.workflowId}/versions/${propertyOf(one, 'versionId')}`,
    )
    expect(version.body).toMatchObject({ number: null, graph: { nodes: [{ id: 'start' }, { id: 'a' }] } })
    expect((await eva.send(`GET /workflows/${draft.workflowId}/versions`)).body).toMatchObject({ total: 0 })
    const put = await eva.send(
      `PUT /workflows/${draft.workflowId}/versions/${propertyOf(one, 'versionId')}`,
      {
        label: 'x',
      },
    )
    expect(put.status).toBe(404)
  })

  test('is refused for another revision, an unknown step and an unknown run, naming each', async () => {
    const graph = { nodes: [node('start', 'manual-trigger'), fields('a', '1')], edges: [edge('start', 'a')] }
    const { workflowId, draftRevision } = await draftOf(graph)
    const start = (body: object) =>
      eva.send(`POST /workflows/${workflowId}/test-runs`, { draftRevision, ...ALL, ...body })
    expect(await start({ draftRevision: draftRevision + 1 })).toMatchObject({
      status: 409,
      body: { error: 'draft_conflict', current: { number: draftRevision } },
    })
    const errorOf = async (body: object) => propertyOf((await start(body)).body, 'errors')
    expect(await errorOf({ scope: { kind: 'from', nodeId: 'zz' } })).toEqual([
      { path: 'scope.nodeId', message: 'names an unknown step: zz' },
    ])
    expect(await errorOf({ scope: { kind: 'only' } })).toMatchObject([{ path: 'scope.nodeId' }])
    expect(await errorOf({ triggerNodeId: 'a' })).toMatchObject([{ path: 'triggerNodeId' }])
    const other = await publishWorkflow(server, 'Other', graph)
    const run = await startWorkflow(server, other)
    for (const fromRunId of [run, draftedId()]) {
      expect(await start({ seeds: { fromRunId } })).toMatchObject({
        status: 404,
        body: { error: 'run_not_found' },
      })
    }
  })

  test('of an unfinished draft needs no more than its own steps', async () => {
    const graph = {
      nodes: [
        node('start', 'manual-trigger'),
        fields('a', '{{ trigger.n }}'),
        node('broken', 'ai-agent', { message: '' }),
      ],
      edges: [edge('start', 'a'), edge('a', 'broken'), { ...edge('broken', 'nowhere'), id: 'loose' }],
    }
    const draft = await draftOf(graph)
    const until = await tested(draft, { scope: { kind: 'until', nodeId: 'a' }, payload: { n: 3 } })
    expect(until).toMatchObject({ status: 'completed', workflowRun: { output: { v: 3 } } })
    const plan = await eva.send(`POST /workflows/${draft.workflowId}/test-runs/plan`, {
      draftRevision: draft.draftRevision,
      ...ALL,
    })
    expect(plan).toMatchObject({ status: 200 })
    const findings = propertyOf(plan.body, 'findings') as { nodeId: string | null }[]
    expect(findings.map(({ nodeId }) => nodeId)).toContain('broken')
    const refused = await eva.send(`POST /workflows/${draft.workflowId}/test-runs`, {
      draftRevision: draft.draftRevision,
      ...ALL,
    })
    expect(refused).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  })

  test('of one step uses entered values, and names the steps that need one', async () => {
    const graph = {
      nodes: [
        node('start', 'manual-trigger'),
        agentNode('ask', 'Hello'),
        fields('after', '{{ upstream.ask.output }}'),
      ],
      edges: [edge('start', 'ask'), edge('ask', 'after')],
    }
    const draft = await draftOf(graph)
    const scope = { kind: 'only', nodeId: 'after' }
    const missing = await eva.send(`POST /workflows/${draft.workflowId}/test-runs`, {
      draftRevision: draft.draftRevision,
      scope,
    })
    expect(missing).toMatchObject({
      status: 422,
      body: {
        error: 'seed_missing',
        errors: [{ path: 'ask', message: expect.stringContaining('enter one') }],
      },
    })
    const run = await tested(draft, { scope, seeds: { values: [{ nodeId: 'ask', output: 'typed' }] } })
    expect(run).toMatchObject({ status: 'completed', workflowRun: { output: { v: 'typed' } } })
    expect(stateOf(run)).toMatchObject({ ask: 'typed', after: 'completed' })
  })

  test('with an entered branch keeps the source’s output except for the branch, and requires it without a source', async () => {
    const graph = {
      nodes: [
        node('start', 'manual-trigger'),
        node('sort', 'if-else', {
          conditions: [{ left: '{{ trigger.isLarge }}', op: 'is_true' }],
        }),
        node('approve', 'human-review', { title: 'Fine?' }),
        fields('refused', '{{ upstream.approve.output.comment }}: {{ upstream.approve.output.decision }}'),
      ],
      edges: [edge('start', 'sort'), edge('sort', 'approve', 'true'), edge('approve', 'refused', 'rejected')],
    }
    const draft = await draftOf(graph)
    const answered = await eva.send(`POST /workflows/${draft.workflowId}/test-runs`, {
      draftRevision: draft.draftRevision,
      ...ALL,
      payload: { isLarge: true },
    })
    const fromRunId = String(propertyOf(answered.body, 'executionId'))
    const reviews = async () =>
      ((await eva.send(`GET /runs/${fromRunId}`)).body as Detail).workflowRun.reviews
    await expect.poll(reviews, { timeout: 15_000 }).toHaveLength(1)
    const [review] = await reviews()
    const detail = await eva.send(`GET /reviews/${review?.reviewId}`)
    const decided = await eva.send(`POST /reviews/${review?.reviewId}/decision`, {
      decision: 'approve',
      comment: 'Fine by me',
      revision: propertyOf(detail.body, 'revision'),
    })
    expect([decided.status, decided.body]).toEqual([200, expect.anything()])
    await ended(fromRunId)
    const scope = { kind: 'from', nodeId: 'refused' }
    const values = [{ nodeId: 'approve', handles: ['rejected'] }]
    const run = await tested(draft, { scope, seeds: { fromRunId, values } })
    expect(run).toMatchObject({ status: 'completed', workflowRun: { output: { v: 'Fine by me: rejected' } } })
    expect(stateOf(run)).toMatchObject({ approve: 'typed', refused: 'completed' })
    const unknown = await eva.send(`POST /workflows/${draft.workflowId}/test-runs`, {
      ...{ draftRevision: draft.draftRevision, scope, payload: { isLarge: true }, seeds: { values } },
    })
    expect(unknown).toMatchObject({
      status: 422,
      body: {
        error: 'seed_missing',
        errors: [{ path: 'approve', message: expect.stringContaining('without a known output') }],
      },
    })
    const typed = [{ nodeId: 'approve', handles: ['rejected'], output: null }]
    expect(
      await tested(draft, { scope: { kind: 'only', nodeId: 'refused' }, seeds: { values: typed } }),
    ).toMatchObject({ status: 'failed' })
  })
})

const draftedId = () => '00000000-0000-4000-8000-000000000000'

describe('a run that failed', () => {
  /** Calls an agent, is approved, and then fails at a step that reads a missing key. */
  const broken = (value: string) => ({
    nodes: [
      node('start', 'manual-trigger'),
      agentNode('ask', 'Hello {{ trigger.name }}'),
      node('approve', 'human-review', { title: 'Fine?' }),
      fields('last', value),
    ],
    edges: [edge('start', 'ask'), edge('ask', 'approve'), edge('approve', 'last', 'approved')],
  })

  test('is repeated from its failed step on the draft: no review and no cost happens twice', async () => {
    const workflowId = await publishWorkflow(server, 'Repaired', broken('{{ trigger.missing }}'))
    const failedId = await startWorkflow(server, workflowId, { name: 'Ana' })
    const reviewOf = async (runId: string) =>
      ((await eva.send(`GET /runs/${runId}`)).body as Detail).workflowRun?.reviews[0]
    await expect.poll(async () => (await reviewOf(failedId))?.status, { timeout: 15_000 }).toBe('open')
    const review = await reviewOf(failedId)
    const detail = await eva.send(`GET /reviews/${review?.reviewId}`)
    const decided = await eva.send(`POST /reviews/${review?.reviewId}/decision`, {
      decision: 'approve',
      revision: propertyOf(detail.body, 'revision'),
    })
    expect(decided.status).toBe(200)
    expect(await ended(failedId)).toMatchObject({ status: 'failed', isTest: false })
    const draft = (await eva.send(`GET /workflows/${workflowId}`)).body as { draftRevision: number }
    const saved = await eva.send(`POST /workflows/${workflowId}/draft`, {
      draftRevision: draft.draftRevision,
      changes: [
        { put: { node: fields('last', '{{ upstream.approve.output.decision }} {{ upstream.ask.output }}') } },
      ],
    })
    expect(saved.status).toBe(200)
    const draftRevision = Number(propertyOf(saved.body, 'draftRevision'))
    const plan = await eva.send(`POST /workflows/${workflowId}/test-runs/plan`, {
      draftRevision,
      scope: { kind: 'from', nodeId: 'last' },
      seeds: { fromRunId: failedId },
    })
    expect(plan.body).toMatchObject({
      fault: null,
      runs: [{ nodeId: 'last' }],
      seeded: expect.arrayContaining([
        expect.objectContaining({ nodeId: 'ask', fromRunId: failedId, isAnswered: false }),
        expect.objectContaining({ nodeId: 'approve', fromRunId: failedId, isAnswered: true }),
      ]),
      missing: [],
      effects: [],
      cost: { costUsd: null, unknown: [] },
      source: { runId: failedId, versionNumber: 1, status: 'failed', gone: null },
    })
    const again = await eva.send(`POST /runs/${failedId}/rerun`, {
      on: 'draft',
      draftRevision,
      from: { nodeId: 'last' },
    })
    expect(again.status).toBe(202)
    const run = await ended(String(propertyOf(again.body, 'runId')))
    expect(run).toMatchObject({ status: 'completed', isTest: true })
    expect(propertyOf(run.workflowRun.output, 'v')).toMatch(/^approved ./)
    const seeded = { origin: 'run', fromRunId: failedId }
    expect(run.workflowRun.nodes).toMatchObject([
      { nodeId: 'start', seeded: null },
      { nodeId: 'ask', seeded },
      { nodeId: 'approve', seeded },
      { nodeId: 'last', seeded: null },
    ])
    expect(run.workflowRun.reviews).toEqual([])
    expect([propertyOf(run, 'inputTokens'), propertyOf(run, 'costUsd')]).toEqual([0, null])
    const onVersion = await eva.send(`POST /runs/${failedId}/rerun`, { from: { nodeId: 'last' } })
    expect(await ended(String(propertyOf(onVersion.body, 'runId')))).toMatchObject({
      status: 'failed',
      isTest: true,
      versionNumber: 1,
    })
  })
})

describe('a test has no effect on', () => {
  const graph = () => ({
    nodes: [
      node('start', 'manual-trigger'),
      agentNode('ask', 'Hello', { sessionId: 'shared', userId: 'ana' }),
      fields('last', '{{ trigger.missing }}'),
    ],
    edges: [edge('start', 'ask'), edge('ask', 'last')],
  })

  test('the public API, and all counts of production runs', async () => {
    const workflowId = await publishWorkflow(server, 'Counted', graph())
    const readers = async () => {
      const answers = await Promise.all([
        eva.send(`GET /workflows/${workflowId}`),
        eva.send(`GET /workflows/${workflowId}/publish-preview`),
        eva.send(`GET /workflows/${workflowId}/versions`),
        eva.send('GET /runs?test=false'),
        eva.send('GET /home'),
        eva.send(`GET /agents/${server.seed.agents.organization}`),
        server.call('GET /api/v1/sessions?limit=100'),
        server.call('GET /api/v1/approvals'),
        server.call('GET /api/v1/reviews'),
      ])
      return answers.map(({ status, body }) => ({ status, body: withoutTimes(body) }))
    }
    const before = await readers()
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    const { draftRevision } = (await eva.send(`GET /workflows/${workflowId}`)).body as {
      draftRevision: number
    }
    const run = await tested({ workflowId, draftRevision }, ALL)
    expect(run.status).toBe('failed')
    expect(await readers()).toEqual(before)
    const publicly = (target: string) => server.call(target)
    for (const target of [
      `GET /api/v1/workflow-jobs/${run.runId}`,
      `GET /api/v1/workflow-jobs/${run.runId}/nodes`,
      `GET /api/v1/workflow-jobs/${run.runId}/result`,
      `GET /api/v1/workflow-jobs/${run.runId}/reviews`,
      `POST /api/v1/workflow-jobs/${run.runId}/cancel`,
      `POST /api/v1/workflow-jobs/${run.runId}/pause`,
      `POST /api/v1/workflow-jobs/${run.runId}/resume`,
    ]) {
      expect([target, (await publicly(target)).status]).toEqual([target, 404])
    }
    const tests = await eva.send(`GET /runs?test=true&entityId=${workflowId}`)
    expect(tests.body).toMatchObject({ data: [{ runId: run.runId, isTest: true, status: 'failed' }] })
  })

  test('conversations and memories: a step runs in a playground session, without its user', async () => {
    const draft = await draftOf(graph())
    const run = await tested(draft, { scope: { kind: 'until', nodeId: 'ask' } })
    const agentRunId = propertyOf(
      run.workflowRun.nodes.find(({ nodeId }) => nodeId === 'ask'),
      'agentRunId',
    )
    const child = await eva.send(`GET /runs/${agentRunId}`)
    expect(child.body).toMatchObject({ isTest: true, sessionId: 'shared', status: 'completed' })
    expect(propertyOf(child.body, 'userId')).not.toBe('ana')
    const seen = await server.call('GET /api/v1/sessions?session_id=shared')
    expect(JSON.stringify(seen.body)).not.toContain('shared')
  })

  test('other users: a review is assigned to the tester, in the builder only', async () => {
    const asking = {
      nodes: [
        node('start', 'manual-trigger'),
        node('approve', 'human-review', {
          title: 'Fine?',
          reviewers: { kind: 'roles', roles: ['owner'] },
          notify: { emails: ['ana@example.com'] },
        }),
      ],
      edges: [edge('start', 'approve')],
    }
    const { workflowId, draftRevision } = await draftOf(asking)
    const started = await eva.send(`POST /workflows/${workflowId}/test-runs`, { draftRevision, ...ALL })
    const runId = String(propertyOf(started.body, 'executionId'))
    const mine = async (as: BuilderClient) =>
      propertyOf((await as.send(`GET /reviews?mine=true&workflowId=${workflowId}`)).body, 'data') as {
        reviewId: string
        isTest: boolean
      }[]
    await expect.poll(async () => (await mine(eva)).length, { timeout: 15_000 }).toBe(1)
    const [review] = await mine(eva)
    expect(review).toMatchObject({ isTest: true, executionId: runId, obstacle: null })
    expect(await mine(olga)).toEqual([])
    expect((await olga.send(`GET /reviews/${review?.reviewId}`)).status).toBe(404)
    expect((await server.call(`GET /api/v1/reviews/${review?.reviewId}`)).status).toBe(404)
    const { revision } = (await eva.send(`GET /reviews/${review?.reviewId}`)).body as { revision: string }
    const decision = { decision: 'approve', revision }
    expect((await olga.send(`POST /reviews/${review?.reviewId}/decision`, decision)).status).toBe(404)
    const byKey = await server.call(`POST /api/v1/reviews/${review?.reviewId}/decision`, {
      body: { decision: 'approve' },
    })
    expect(byKey.status).toBe(404)
    expect((await eva.send(`POST /reviews/${review?.reviewId}/decision`, decision)).status).toBe(200)
    expect(await ended(runId)).toMatchObject({ status: 'completed' })
  })
})

test('a fourth test of one user is refused, or replaces the oldest if requested', async () => {
  const waiting = {
    nodes: [node('start', 'manual-trigger'), node('approve', 'human-review', { title: 'Wait' })],
    edges: [edge('start', 'approve')],
  }
  const { workflowId, draftRevision } = await draftOf(waiting)
  const start = (body: object = {}) =>
    eva.send(`POST /workflows/${workflowId}/test-runs`, { draftRevision, ...ALL, ...body })
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(String(propertyOf((await start()).body, 'executionId')))
  expect(await start()).toMatchObject({
    status: 409,
    body: { error: 'too_many_tests', executionId: ids[0], message: expect.stringContaining('three tests') },
  })
  expect((await start({ cancelOldest: true })).status).toBe(202)
  expect(await ended(ids[0] ?? '')).toMatchObject({ status: 'cancelled' })
  const rest = propertyOf(
    (await eva.send(`GET /runs?test=true&entityId=${workflowId}&status=queued,running,awaiting_approval`))
      .body,
    'data',
  ) as { runId: string }[]
  expect(rest).toHaveLength(3)
  for (const { runId } of rest) expect((await eva.send(`POST /runs/${runId}/cancel`)).status).toBe(200)
})

test('a password of the form that started the source stays masked in a draft without that field', async () => {
  const form = (fieldsOf: object[]) => ({
    nodes: [
      node('form', 'form-trigger', { title: 'Sign in', fields: fieldsOf }),
      fields('keep', '{{ trigger.body.secret }}'),
      fields('last', '{{ upstream.keep.output.v }}'),
    ],
    edges: [edge('form', 'keep'), edge('keep', 'last')],
  })
  const secret = { name: 'secret', label: 'Secret', type: 'password' }
  const workflowId = await publishWorkflow(server, 'Masked', form([secret]))
  const source = await eva.send(`POST /workflows/${workflowId}/runs`, {
    payload: { body: { secret: 'hunter2hunter2' } },
  })
  const fromRunId = String(propertyOf(source.body, 'executionId'))
  await ended(fromRunId)
  const before = (await eva.send(`GET /workflows/${workflowId}`)).body as { draftRevision: number }
  const saved = await eva.send(`POST /workflows/${workflowId}/draft`, {
    draftRevision: before.draftRevision,
    changes: [
      {
        put: {
          node: node('form', 'form-trigger', {
            title: 'Sign in',
            fields: [{ name: 'other', label: 'Other', type: 'text' }],
          }),
        },
      },
    ],
  })
  const draftRevision = Number(propertyOf(saved.body, 'draftRevision'))
  const run = await tested({ workflowId, draftRevision }, { ...ALL, seeds: { fromRunId } })
  expect(run).toMatchObject({ status: 'completed' })
  const nodeOf = await eva.send(`GET /runs/${run.runId}/nodes/last`)
  for (const shown of [run, nodeOf.body]) expect(JSON.stringify(shown)).not.toContain('hunter2')
})

test('a source with erased results is reported, and its steps are missing', async () => {
  const graph = {
    nodes: [
      node('start', 'manual-trigger'),
      agentNode('ask', 'Hello'),
      fields('last', '{{ upstream.ask.output }}'),
    ],
    edges: [edge('start', 'ask'), edge('ask', 'last')],
  }
  const workflowId = await publishWorkflow(server, 'Erased', graph)
  const fromRunId = await startWorkflow(server, workflowId)
  await ended(fromRunId)
  await server.context.database.workflowRuns.sweepExpired(Date.now() + 40 * 24 * 3_600_000)
  const { draftRevision } = (await eva.send(`GET /workflows/${workflowId}`)).body as { draftRevision: number }
  const body = { draftRevision, scope: { kind: 'from', nodeId: 'last' }, seeds: { fromRunId } }
  const plan = await eva.send(`POST /workflows/${workflowId}/test-runs/plan`, body)
  expect(plan.body).toMatchObject({
    source: { gone: expect.stringContaining('Retention has erased') },
    missing: [{ nodeId: 'ask' }],
  })
})

test('tools with possible effects are denied, unless the test allows them for their step', async () => {
  const config = {
    model: { primary: { llm_config_id: server.seed.llm.organization } },
    tools: [
      {
        type: 'http',
        name: 'refund',
        description: 'Refunds.',
        method: 'POST',
        url: 'http://127.0.0.1:9/refund',
      },
      { type: 'builtin', name: 'sum', builtin: 'calculator' },
    ],
  }
  const made = await eva.send('POST /agents', { name: 'Refunder', config })
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  const agentId = propertyOf(made.body, 'agentId')
  const message = '[[tool: refund {}]] [[tool: sum {"expression": "1+1"}]]'
  const draft = await draftOf({
    nodes: [node('start', 'manual-trigger'), node('pay', 'ai-agent', { agentId, message })],
    edges: [edge('start', 'pay')],
  })
  const plan = await eva.send(`POST /workflows/${draft.workflowId}/test-runs/plan`, {
    draftRevision: draft.draftRevision,
    ...ALL,
  })
  expect(propertyOf(plan.body, 'effects')).toMatchObject([
    { nodeId: 'pay', type: 'ai-agent', isAllowed: false, happensAgain: false, tools: ['refund'] },
  ])
  const resultsOf = async (body: object) => {
    const run = await tested(draft, { ...ALL, ...body })
    const agentRunId = propertyOf(run.workflowRun.nodes[1], 'agentRunId')
    const child = await eva.send(`GET /runs/${agentRunId}`)
    return JSON.stringify(propertyOf(propertyOf(child.body, 'agentRun'), 'messages'))
  }
  for (const allowEffects of [undefined, false, ['other']]) {
    const results = await resultsOf(allowEffects === undefined ? {} : { allowEffects })
    expect(results).toContain('denied: this is a test')
    expect(results).toContain('2')
  }
  for (const allowEffects of [true, ['pay']]) {
    const results = await resultsOf({ allowEffects })
    expect(results).toContain('refund')
    expect(results).not.toContain('this is a test')
  }
})

function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (/(At|Ms|latency|uptime)$/i.test(key) ? undefined : inner)) ??
      'null',
  )
}
