import { randomUUID } from 'node:crypto'
import { type MemberRole, propertyOf, type WorkflowId } from '@troupe/contract'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { ECHO_GRAPH, REVIEW_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator } from './builder-caller.ts'

let server: TestServer
let address: string
let owner: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

const field = (value: unknown, ...path: (string | number)[]) =>
  path.reduce<unknown>((found, name) => propertyOf(found, String(name)), value)

async function publish(name: string, graph: object): Promise<WorkflowId> {
  const { organizationId } = server.seed
  return seedWorkflow(server.context.database, { organizationId, projectId: null, name, graph })
}

async function start(workflowId: string, input: object = {}): Promise<string> {
  const answer = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, { body: { input } })
  return String(propertyOf(answer.body, 'executionId'))
}

function asking(reviewers: object): object {
  const nodes = REVIEW_GRAPH.nodes.map((node) =>
    node.id === 'ask' ? { ...node, config: { ...node.config, reviewers } } : node,
  )
  return { ...REVIEW_GRAPH, nodes }
}

async function openReviews(client: { send: typeof owner.send }, query = ''): Promise<unknown[]> {
  const { status, body } = await client.send(`GET /reviews?status=open&limit=100${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return propertyOf(body, 'data') as unknown[]
}

describe('reviews', () => {
  test('a reviewer sees and decides only what asks them; everybody else sees all, and `mine`', async () => {
    const reviewer = await asMember(server, 'reviewer', 'Rita')
    const viewer = await asMember(server, 'viewer')
    const { userId } = reviewer.person
    const ofRita = await publish('Ask Rita', asking({ kind: 'users', userIds: [userId] }))
    const ofAdmins = await publish('Ask admins', asking({ kind: 'roles', roles: ['admin'] }))
    await start(ofRita)
    await start(ofAdmins)
    await expect.poll(async () => (await openReviews(owner)).length).toBe(2)

    const names = async (client: typeof owner, query = '') =>
      (await openReviews(client, query)).map((review) => propertyOf(review, 'workflowName')).toSorted()
    expect(await names(reviewer)).toEqual(['Ask Rita'])
    expect(await names(viewer)).toEqual(['Ask Rita', 'Ask admins'])
    expect(await names(viewer, '&mine=true')).toEqual([])
    expect(await names(owner, '&mine=true&sort=expiresAt')).toEqual([])
    const [theirs] = (await openReviews(owner)).filter((one) => field(one, 'workflowName') === 'Ask admins')
    const [hers] = await openReviews(reviewer)
    expect(theirs).toMatchObject({
      obstacle: expect.stringContaining('admin'),
      reviewers: { roles: ['admin'] },
    })
    expect(hers).toMatchObject({ obstacle: null, reviewers: { userIds: [userId] } })

    const theirPath = `/reviews/${field(theirs, 'reviewId')}`
    for (const answer of [
      await reviewer.send(`GET ${theirPath}`),
      await reviewer.send(`POST ${theirPath}/decision`, { decision: 'approve' }),
    ]) {
      expect([answer.status, field(answer.body, 'error')]).toEqual([404, 'review_not_found'])
    }
    expect((await reviewer.send('GET /runs')).status).toBe(403)
    expect(
      field((await owner.send(`POST ${theirPath}/decision`, { decision: 'approve' })).body, 'error'),
    ).toBe('not_a_reviewer')
    const operator = await asOperator(server).send(`POST ${theirPath}/decision`, { decision: 'approve' })
    expect(field(operator.body, 'error')).toBe('not_a_reviewer')
    expect((await reviewer.send('GET /reviews?decided=true')).body).toMatchObject({ total: 0 })
    const decided = await reviewer.send(`POST /reviews/${field(hers, 'reviewId')}/decision`, {
      decision: 'reject',
      comment: 'Not now',
    })
    expect(decided.body).toMatchObject({ status: 'rejected' })
    expect((await owner.send(`GET /reviews/${field(hers, 'reviewId')}`)).body).toMatchObject({
      decision: { by: { type: 'user', name: 'Rita' }, comment: 'Not now' },
      votes: [{ name: 'Rita', isOwn: false, decision: 'reject', comment: 'Not now' }],
    })
    expect((await reviewer.send('GET /reviews?decided=true')).body).toMatchObject({
      ...{ total: 1, data: [{ status: 'rejected' }] },
    })
    expect((await reviewer.send('GET /reviews?decided=false')).body).toMatchObject({ total: 0 })
  })

  test('those with a deadline come first, the earliest before the others', async () => {
    const member = await asMember(server, 'member')
    for (const [name, hours] of [
      ['Late', 48],
      ['Never', null],
      ['Soon', 2],
    ] as const) {
      const ask = {
        ...REVIEW_GRAPH.nodes[1],
        config: { title: name, ...(hours && { timeout: { after: hours, unit: 'hours' } }) },
      }
      await start(await publish(name, { ...REVIEW_GRAPH, nodes: [...ECHO_GRAPH.nodes, ask] }))
    }
    const titles = async () =>
      (await openReviews(member, '&sort=expiresAt&mine=true')).map((one) => propertyOf(one, 'title'))
    await expect.poll(titles).toEqual(['Soon', 'Late', 'Never'])
  })

  test('a call of a tool is approved by a member, once', async () => {
    const { key } = { key: server.seed.keys.organization }
    const tools = [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }]
    const config = { instructions: '[[tool: calculator {"expression": "1+1"}]]', tools }
    const made = await server.call('POST /api/v1/agents', { key, body: { name: 'Careful', config } })
    await server.call(`POST /api/v1/agents/${field(made.body, 'agentId')}/run-async`, {
      body: { message: 'hi' },
    })
    const pending = async () => field((await owner.send('GET /approvals?status=pending')).body, 'data', 0)
    await expect.poll(pending).toMatchObject({ toolName: 'calculator', agentName: 'Careful' })
    const path = `/approvals/${field(await pending(), 'approvalId')}/resolve`
    expect(
      field((await asOperator(server).send(`POST ${path}`, { decision: 'approve' })).body, 'error'),
    ).toBe('not_a_reviewer')
    const home = await owner.send('GET /home')
    expect(home.body).toMatchObject({ approvals: { pending: 1, next: [{ agentName: 'Careful' }] } })
    expect((await owner.send(`POST ${path}`, { decision: 'approve' })).body).toMatchObject({
      status: 'approved',
    })
    const listed = async (query: string) => field((await owner.send(`GET /approvals?${query}`)).body, 'total')
    expect([await listed('decided=false'), await listed('decided=true')]).toEqual([0, 1])
    const again = await owner.send(`POST ${path}`, { decision: 'reject' })
    expect(field(again.body, 'error')).toBe('approval_already_resolved')
  })
})

describe('GET /home', () => {
  test('failures with one cause are one entry, and what waits for the caller is counted', async () => {
    const config = { rows: [{ name: 'x', op: 'set', value: '{{ trigger.missing }}' }] }
    const failing = {
      nodes: [
        ...ECHO_GRAPH.nodes,
        { id: 'set', type: 'variable', name: 'Set', position: { x: 1, y: 0 }, config },
      ],
      edges: [{ id: 'e', source: 'start', sourceHandle: 'out', target: 'set' }],
    }
    const broken = await publish('Broken', failing)
    const runs = [await start(broken), await start(broken)]
    const home = async () => (await owner.send('GET /home')).body
    await expect.poll(async () => field(await home(), 'failures', 0, 'count')).toBe(2)
    expect(await home()).toMatchObject({
      failures: [
        { kind: 'workflow', entity: { id: broken, name: 'Broken' }, count: 2, lastRunId: runs[1] },
        { entity: { name: 'Ask Rita' }, cause: expect.stringContaining('rejected by Rita'), count: 1 },
      ],
      reviews: { open: 3, next: [{ title: 'Soon' }, { title: 'Late' }, { title: 'Never' }] },
      running: { count: expect.any(Number) },
      steps: { agent: true, apiKey: true, run: true, colleague: true, llmConfiguration: false },
      failingModels: [],
      schedules: [],
    })
    expect(field(await home(), 'running', 'data', 0)).toMatchObject({ status: 'awaiting_approval' })
  })

  test('budgets that are nearly used and keys that end soon need attention', async () => {
    const before = (await owner.send('GET /home')).body
    expect(before).toMatchObject({ budgets: [], expiringKeys: [] })
    await owner.send('PUT /budgets', { metric: 'workflow_runs', limit: 1, projectId: null, period: 'month' })
    const expiresAt = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString()
    const key = await owner.send('POST /api-keys', { name: 'Short', expiresAt })
    expect(key.status).toBe(201)
    const later = new Date(Date.now() + 60 * 24 * 3_600_000).toISOString()
    await owner.send('POST /api-keys', { name: 'Long', expiresAt: later })
    const home = (await owner.send('GET /home')).body
    expect(home).toMatchObject({
      budgets: [{ metric: 'workflow_runs', limit: 1 }],
      expiringKeys: [{ name: 'Short', apiKeyId: field(key.body, 'apiKey', 'apiKeyId') }],
    })
    const budgetId = field(home, 'budgets', 0, 'budgetId')
    expect((await owner.send(`DELETE /budgets/${budgetId}`)).status).toBe(204)
  })
})

describe('GET /usage', () => {
  test('groups have names, totals are those of the days, and the period before is beside them', async () => {
    const { agents } = server.seed
    await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
      body: { message: 'Count me', tag: 'blue' },
    })
    const today = new Date().toISOString().slice(0, 10)
    const { body } = await owner.send('GET /usage?groupBy=agent')
    expect(field(body, 'to')).toBe(today)
    const rows = propertyOf(body, 'data') as { key: string; name: string; runs: number }[]
    expect(rows.find(({ key }) => key === agents.organization)).toMatchObject({
      name: 'Organization agent',
      runs: 1,
    })
    const days = (await owner.send(`GET /usage?from=${today}&to=${today}`)).body
    expect(days).toMatchObject({ data: [{ key: today }], totals: field(body, 'totals') as object })
    expect(field(days, 'previous')).toMatchObject({ runs: 0, calls: 0, costUsd: null })
    const purposes = (await owner.send('GET /usage?groupBy=purpose')).body
    expect(propertyOf(purposes, 'data')).toContainEqual(
      expect.objectContaining({ key: 'chat', name: 'chat' }),
    )
    const daily = (await owner.send('GET /usage?groupBy=tag&daily=true')).body
    expect(propertyOf(daily, 'days')).toContainEqual(
      expect.objectContaining({ day: today, key: 'blue', runs: 1, errors: 0 }),
    )
    const byDay = propertyOf(daily, 'days') as { inputTokens: number }[]
    expect(byDay.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(
      field(daily, 'totals', 'inputTokens'),
    )
    const tags = (await owner.send('GET /usage?groupBy=tag')).body
    expect(propertyOf(tags, 'days')).toEqual([])
    expect(propertyOf(tags, 'data')).toContainEqual(expect.objectContaining({ key: 'blue', runs: 1 }))
    const other = await owner.send(`GET /usage?projectId=${server.seed.otherProjectId}`)
    expect(field(other.body, 'totals', 'calls')).toBe(0)
  })

  test.each([
    'from=2026-02-01&to=2026-01-01',
    'from=2024-01-01&to=2026-01-01',
    'groupBy=planet',
    'from=today',
  ])('400 for %s', async (query) => {
    expect((await owner.send(`GET /usage?${query}`)).status).toBe(400)
  })
})

describe('GET /search', () => {
  const hits = async (q: string) => {
    const { status, body } = await owner.send(`GET /search?q=${encodeURIComponent(q)}`)
    expect([status, body]).toEqual([200, expect.anything()])
    return propertyOf(body, 'data') as { kind: string; id: string; name: string; parentId: string | null }[]
  }

  test('names are found by any part, the best first, and texts are not patterns', async () => {
    await publish('Zebra crossing', ECHO_GRAPH)
    await publish('The zebra', ECHO_GRAPH)
    await publish('zebra', ECHO_GRAPH)
    expect((await hits('ZEBRA')).map(({ name }) => name)).toEqual(['zebra', 'Zebra crossing', 'The zebra'])
    expect(await hits('%')).toEqual([])
    expect(await hits('ze_ra')).toEqual([])
    expect((await hits('Organization agent')).map(({ kind }) => kind)).toEqual(['agent'])
  })

  test('runs, reviews and versions are found by the beginning of their ids, never those of others', async () => {
    const workflowId = await publish('By id', ECHO_GRAPH)
    const runId = await start(workflowId)
    expect(await hits(runId)).toMatchObject([
      { kind: 'workflow_run', id: runId, name: 'By id', parentId: workflowId },
    ])
    expect((await hits(runId.slice(0, 23))).map(({ id }) => id)).toContain(runId)
    expect(await hits(runId.slice(0, 6))).toEqual([])
    const [review] = await openReviews(owner)
    expect(await hits(String(field(review, 'reviewId')))).toMatchObject([{ kind: 'review' }])
    const { agents, otherOrganizationId } = server.seed
    expect(await hits(agents.organization)).toMatchObject([{ kind: 'agent', id: agents.organization }])
    const stored = await server.context.database.read.agents.byId(
      server.seed.organizationId,
      agents.organization,
    )
    const versionId = String(stored?.versionId)
    expect(await hits(versionId)).toMatchObject([
      { kind: 'agent_version', detail: 'v1', parentId: agents.organization },
    ])
    expect(await hits(agents.otherOrganization)).toEqual([])
    expect(await hits(otherOrganizationId)).toEqual([])
  })
})

describe('GET /events', () => {
  interface Stream extends AsyncDisposable {
    status: number
    /** Events as `topic action`, as they come. */
    seen: string[]
    /** Action and id of each change of the configuration. */
    told: [string, string][]
    ended: Promise<void>
  }

  async function watch(
    cookie: string,
    topics: string,
    headers: Record<string, string> = {},
  ): Promise<Stream> {
    const stop = new AbortController()
    const url = `${address}/api/builder/v1/organizations/${server.seed.organizationId}/events?topics=${topics}`
    const response = await fetch(url, { headers: { cookie, ...headers }, signal: stop.signal })
    const seen: string[] = []
    const told: [string, string][] = []
    const read = async () => {
      if (!response.ok || !response.body) return
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        for (const [, data] of chunk.matchAll(/^data: (.*)$/gm)) {
          const { event, topic, change } = JSON.parse(data ?? '')
          if (change) told.push([change.action, change.entityId])
          seen.push(event === 'ready' ? 'ready' : [topic, change?.action].filter(Boolean).join(' '))
        }
      }
    }
    const ended = read().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    return {
      ...{ status: response.status, seen, told, ended },
      async [Symbol.asyncDispose]() {
        stop.abort()
        await ended
      },
    }
  }

  test('a connection is told what changed, of its topics only', async () => {
    const workflowId = await publish('Watched', REVIEW_GRAPH)
    const runId = await start(workflowId)
    const topics = `runs,reviews,configuration,workflow-run:${runId},workflow:${workflowId}`
    await using all = await watch(owner.cookie, topics)
    await using some = await watch(owner.cookie, 'configuration')
    expect(all.status).toBe(200)
    const find = async () => {
      const rows = (await owner.send(`GET /runs/${runId}`)).body
      return field(rows, 'workflowRun', 'reviews', 0, 'reviewId')
    }
    await expect.poll(find).toEqual(expect.any(String))
    await expect.poll(() => some.seen[0]).toBe('ready')
    await expect.poll(() => all.seen).toContain('ready')
    await owner.send('POST /projects', { name: 'Fresh', slug: `fresh-${randomUUID().slice(0, 8)}` })
    await expect.poll(() => some.seen, { timeout: 5_000 }).toContain('configuration project.created')
    await owner.send(`POST /reviews/${await find()}/decision`, { decision: 'approve' })
    // Of the changes just before the connection, which other tests have made, only these two kinds count.
    const isOwn = (seen: string) => !/^configuration (?!project.created|review.approved)/.test(seen)
    await expect
      .poll(() => new Set(all.seen.filter(isOwn)), { timeout: 5_000 })
      .toEqual(
        new Set([
          ...['ready', 'runs', 'reviews', `workflow-run:${runId}`],
          ...['configuration project.created', 'configuration review.approved'],
        ]),
      )
    expect(some.seen.filter((seen) => !/^ready$|^configuration /.test(seen))).toEqual([])
    expect(all.seen).not.toContain(`workflow:${workflowId}`)
  })

  test('a change just before a connection is told after `ready`, and only with that topic', async () => {
    const name = `just-before-${randomUUID().slice(0, 8)}`
    const { body } = await owner.send('POST /projects', { name, slug: name })
    const id = propertyOf(body, 'projectId')
    await using some = await watch(owner.cookie, 'configuration')
    await using other = await watch(owner.cookie, 'reviews')
    await expect.poll(() => some.told).toContainEqual(['project.created', id])
    expect(some.seen[0]).toBe('ready')
    await expect.poll(() => other.seen).toEqual(['ready'])
    // An entry is told once, although polls read the last ones again.
    await owner.send('POST /projects', { name, slug: `${name}-2` })
    await expect
      .poll(() => some.told.filter(([action]) => action === 'project.created').length)
      .toBeGreaterThan(1)
    expect(some.told.filter(([, entityId]) => entityId === id)).toHaveLength(1)
  })

  test('changes of long ago are not recent, and very many recent ones are not listed', async () => {
    const { organizationId } = server.seed
    const recentOf = async (recentMs: number | null) => {
      const asked = { organizationId, entriesAfter: null, recentMs, runs: false, reviews: false }
      const found = await server.context.database.observed.changes({
        organizations: [asked],
        watched: [],
        viewers: [],
      })
      return found.organizations[0]?.recent?.length ?? null
    }
    expect(await recentOf(null)).toBeNull()
    expect(await recentOf(0)).toBe(0)
    expect(await recentOf(60_000)).toBeGreaterThan(0)
    const entry = {
      ...{ organizationId, projectId: null, before: null, after: null },
      actor: { kind: 'system' as const, id: null, ip: null, requestId: null },
      ...{ action: 'agent.updated', entityKind: 'agent', entityId: randomUUID() },
    }
    await server.context.database.transaction(async ({ write }) => {
      for (let n = 0; n <= 200; n += 1) await write.audit.append(entry)
    })
    expect(await recentOf(60_000)).toBeNull()
  })

  test.each<[string, (person: Awaited<ReturnType<typeof asMember>>) => Promise<unknown>]>([
    [
      'has signed out',
      ({ cookie }) =>
        server.app.inject({
          method: 'DELETE',
          url: '/api/builder/v1/session',
          headers: { cookie, origin: new URL(server.context.config.publicUrl).origin },
        }),
    ],
    ['is suspended', ({ person }) => owner.send(`PUT /members/${person.userId}`, { status: 'suspended' })],
    ['may no longer read', ({ person }) => owner.send(`PUT /members/${person.userId}`, { role: 'reviewer' })],
  ])('a connection ends soon after its person %s', async (_name, leave) => {
    const person = await asMember(server, 'member')
    const stream = await watch(person.cookie, 'runs')
    await expect.poll(() => stream.seen).toEqual(['ready'])
    await leave(person)
    await stream.ended
  })

  test('a person has at most 8 connections, the operator may watch too, a reviewer may not', async () => {
    const person = await asMember(server, 'viewer')
    await using streams = new AsyncDisposableStack()
    for (let n = 0; n < 8; n += 1) {
      const stream = streams.use(await watch(person.cookie, 'runs'))
      expect(stream.status).toBe(200)
    }
    expect((await watch(person.cookie, 'runs')).status).toBe(429)
    const operator = await watch('', 'runs', { authorization: `Bearer ${server.adminToken}` })
    expect(streams.use(operator).status).toBe(200)
    const { organizationId } = server.seed
    const role: MemberRole = 'reviewer'
    const reviewer = await signIn(server, await seedPerson(server.context.database, { organizationId, role }))
    expect((await watch(reviewer, 'runs')).status).toBe(403)
    expect((await watch(owner.cookie, 'everything')).status).toBe(400)
  })
})
