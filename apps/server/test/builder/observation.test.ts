import { propertyOf } from '@troupe/contract'
import { ECHO_GRAPH, REVIEW_GRAPH } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember, asOperator } from './builder-caller.ts'
import { publishWorkflow, startWorkflow } from './started-workflow.ts'

let server: TestServer
let owner: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

const field = (value: unknown, ...path: (string | number)[]) =>
  path.reduce<unknown>((found, name) => propertyOf(found, String(name)), value)

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

/** The revision of a review's proposed values, by its path. */
async function revisionOf(path: string): Promise<unknown> {
  return field((await owner.send(`GET ${path}`)).body, 'revision')
}

describe('reviews', () => {
  test('a reviewer sees and decides only assigned ones; other roles see all, and `mine`', async () => {
    const reviewer = await asMember(server, 'reviewer', 'Rita')
    const viewer = await asMember(server, 'viewer')
    const { userId } = reviewer.person
    const ofRita = await publishWorkflow(server, 'Ask Rita', asking({ kind: 'users', userIds: [userId] }))
    const ofAdmins = await publishWorkflow(server, 'Ask admins', asking({ kind: 'roles', roles: ['admin'] }))
    await startWorkflow(server, ofRita)
    await startWorkflow(server, ofAdmins)
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
      await reviewer.send(`POST ${theirPath}/decision`, { decision: 'approve', revision: 'none' }),
    ]) {
      expect([answer.status, field(answer.body, 'error')]).toEqual([404, 'review_not_found'])
    }
    expect((await reviewer.send('GET /runs')).status).toBe(403)
    const approval = { decision: 'approve', revision: await revisionOf(theirPath) }
    for (const client of [owner, asOperator(server)]) {
      const { body } = await client.send(`POST ${theirPath}/decision`, approval)
      expect(field(body, 'error')).toBe('not_a_reviewer')
    }
    expect((await reviewer.send('GET /reviews?decided=true')).body).toMatchObject({ total: 0 })
    const herPath = `/reviews/${field(hers, 'reviewId')}`
    const decided = await reviewer.send(`POST ${herPath}/decision`, {
      decision: 'reject',
      comment: 'Not now',
      revision: await revisionOf(herPath),
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

  test('a reviewer cannot approve values that they have not seen', async () => {
    const [rita, max] = [await asMember(server, 'reviewer', 'Rita'), await asMember(server, 'member', 'Max')]
    const config = {
      title: 'Refund',
      approvalsRequired: 2,
      fields: [{ name: 'amount', label: 'Amount', type: 'number', value: 100 }],
    }
    const graph = { ...REVIEW_GRAPH, nodes: [...ECHO_GRAPH.nodes, { ...REVIEW_GRAPH.nodes[1], config }] }
    const runId = await startWorkflow(server, await publishWorkflow(server, 'Refunds', graph))
    const find = async () => (await openReviews(rita)).find((one) => field(one, 'executionId') === runId)
    await expect.poll(find).toBeDefined()
    const path = `/reviews/${field(await find(), 'reviewId')}`
    const seen = await revisionOf(path)
    const decide = (who: typeof rita, body: object) => who.send(`POST ${path}/decision`, body)

    expect(await decide(rita, { decision: 'approve' })).toMatchObject({
      status: 400,
      body: { error: 'validation_error' },
    })
    const changed = { decision: 'approve', data: { amount: 10_000 }, revision: seen }
    expect((await decide(max, changed)).body).toMatchObject({ status: 'open' })
    for (const decision of ['approve', 'reject']) {
      expect(await decide(rita, { decision, revision: seen })).toMatchObject({
        status: 409,
        body: {
          error: 'version_conflict',
          message: 'The proposed values were changed by Max since you read them.',
          current: {
            changedBy: { kind: 'user', id: max.person.userId, name: 'Max' },
            changedAt: expect.stringMatching(/^\d{4}-/),
          },
        },
      })
    }
    // A reviewer repeats a decision with its original revision.
    expect((await decide(max, changed)).body).toMatchObject({ status: 'open' })
    const approved = await decide(rita, { decision: 'approve', revision: await revisionOf(path) })
    expect(approved.body).toMatchObject({ status: 'approved' })
    expect((await owner.send(`GET ${path}`)).body).toMatchObject({ decision: { data: { amount: 10_000 } } })
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
      await startWorkflow(
        server,
        await publishWorkflow(server, name, { ...REVIEW_GRAPH, nodes: [...ECHO_GRAPH.nodes, ask] }),
      )
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
    const one = `/approvals/${field(await pending(), 'approvalId')}`
    const path = `${one}/resolve`
    expect((await owner.send(`GET ${one}`)).body).toEqual(await pending())
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
    expect((await owner.send(`GET ${one}`)).body).toMatchObject({ status: 'approved', agentName: 'Careful' })
    expect((await owner.send('GET /approvals/x')).status).toBe(404)
    const again = await owner.send(`POST ${path}`, { decision: 'reject' })
    expect(field(again.body, 'error')).toBe('approval_already_resolved')
  })
})

const BROKEN_GRAPH = {
  nodes: [
    ...ECHO_GRAPH.nodes,
    {
      ...{ id: 'set', type: 'variable', name: 'Set', position: { x: 1, y: 0 } },
      config: { rows: [{ name: 'x', op: 'set', value: '{{ trigger.missing }}' }] },
    },
  ],
  edges: [{ id: 'e', source: 'start', sourceHandle: 'out', target: 'set' }],
}

async function newestAgent() {
  const list = await owner.send('GET /agents?status=active&sort=-createdAt&limit=1')
  const agentId = field(list.body, 'data', 0, 'agentId')
  expect(agentId).toEqual(expect.any(String))
  return agentId
}

describe('GET /home', () => {
  test('failures with one cause are one entry, and items that wait for the caller are counted', async () => {
    const broken = await publishWorkflow(server, 'Broken', BROKEN_GRAPH)
    const home = async () => (await owner.send('GET /home')).body
    const brokenRuns = async () => {
      const failures = field(await home(), 'failures') as Record<string, unknown>[]
      return failures.find(({ entity }) => field(entity, 'id') === broken)?.count
    }
    // One after the other: two that run at once may end in either order, and the last one to end is shown.
    await startWorkflow(server, broken)
    await expect.poll(brokenRuns).toBe(1)
    const lastRunId = await startWorkflow(server, broken)
    await expect.poll(brokenRuns).toBe(2)
    expect(await home()).toMatchObject({
      failures: [
        { kind: 'workflow', entity: { id: broken, name: 'Broken' }, count: 2, lastRunId },
        { entity: { name: 'Ask Rita' }, cause: expect.stringContaining('rejected by Rita'), count: 1 },
      ],
      reviews: { open: 3, next: [{ title: 'Soon' }, { title: 'Late' }, { title: 'Never' }] },
      running: { count: expect.any(Number) },
      steps: { agent: true, apiKey: true, run: true, colleague: true, llmConfiguration: false },
      agentToTalkTo: await newestAgent(),
      failingModels: [],
      schedules: [],
    })
    expect(field(await home(), 'running', 'data', 0)).toMatchObject({ status: 'awaiting_approval' })
  })

  test('models without a price need attention if a budget in dollars refuses their runs', async () => {
    const unpriced = async () => field((await owner.send('GET /home')).body, 'unpriced')
    expect(await unpriced()).toEqual([])
    const known = (await owner.send('GET /budgets')).body
    const found = field(known, 'unpriced')
    const configurations = Array.isArray(found) ? found : []
    expect(configurations).not.toEqual([])
    const set = await owner.send('PUT /budgets', { metric: 'llm_cost_usd', limit: 5, projectId: null })
    expect(await unpriced()).toEqual(configurations)
    const agentId = await newestAgent()
    const refused = await server.call(`POST /api/v1/agents/${agentId}/run`, { body: { message: 'Hi' } })
    expect(refused).toMatchObject({ status: 422, body: { error: 'model_price_missing' } })

    for (const { llmConfigId } of configurations) {
      const path = `/llm-configurations/${llmConfigId}`
      const { body } = await owner.send(`GET ${path}`)
      const models = field(body, 'models')
      const priced = (Array.isArray(models) ? models : []).map((model) => ({
        ...model,
        ...{ inputUsdPerMillion: 1, outputUsdPerMillion: 2 },
      }))
      await owner.send(`PUT ${path}`, { models: priced, version: field(body, 'version') })
    }
    expect(await unpriced()).toEqual([])
    await owner.send(`DELETE /budgets/${field(set.body, 'budgetId')}`)
  })

  test('nearly used budgets and keys that expire soon need attention', async () => {
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
    const apiKeyId = field(key.body, 'apiKey', 'apiKeyId')
    const next = await owner.send(`POST /api-keys/${apiKeyId}/rotate`, { overlapHours: 1 })
    const successor = field(next.body, 'apiKey', 'apiKeyId')
    const expiring = async () => field((await owner.send('GET /home')).body, 'expiringKeys')
    // The successor also lives for three days. It replaces its predecessor in the list until it is revoked.
    expect(await expiring()).toMatchObject([{ apiKeyId: successor }])
    await owner.send(`POST /api-keys/${successor}/revoke`)
    expect(await expiring()).toMatchObject([{ apiKeyId }])
    const budgetId = field(home, 'budgets', 0, 'budgetId')
    expect((await owner.send(`DELETE /budgets/${budgetId}`)).status).toBe(204)
  })

  test('a project filters its contents; the first steps are always those of the organization', async () => {
    const { projectId } = server.seed
    const ofProject = `GET /home?projectId=${projectId}`
    const before = (await owner.send(ofProject)).body
    const nothing = {
      failures: [],
      expiringKeys: [],
      reviews: { open: 0, next: [] },
      approvals: { pending: 0 },
    }
    expect(before).toMatchObject({
      ...nothing,
      running: { count: 0, data: [] },
      steps: { agent: true, run: true },
    })
    const expiresAt = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString()
    for (const [name, of] of [
      ['Here', projectId],
      ['Elsewhere', null],
    ] as const) {
      expect((await owner.send('POST /api-keys', { name, expiresAt, projectId: of })).status).toBe(201)
    }
    await publishWorkflow(server, 'Of the project', BROKEN_GRAPH, projectId).then((id) =>
      startWorkflow(server, id),
    )
    await expect.poll(async () => field((await owner.send(ofProject)).body, 'failures', 0, 'count')).toBe(1)
    expect((await owner.send(ofProject)).body).toMatchObject({
      failures: [{ entity: { name: 'Of the project' } }],
      expiringKeys: [{ name: 'Here' }],
    })
    // A budget of the organization also stops the runs of its projects.
    await owner.send('PUT /budgets', { metric: 'workflow_runs', limit: 1, projectId: null, period: 'month' })
    const { budgets } = (await owner.send(ofProject)).body as { budgets: { budgetId: string }[] }
    expect(budgets).toMatchObject([{ metric: 'workflow_runs', projectId: null }])
    await owner.send(`DELETE /budgets/${budgets[0]?.budgetId}`)
    const own = { metric: 'workflow_runs', limit: 1, period: 'month', projectId: projectId.toUpperCase() }
    const [{ body: made }, { body: again }] = [
      await owner.send('PUT /budgets', own),
      await owner.send('PUT /budgets', own),
    ]
    expect(propertyOf(again, 'budgetId')).toBe(propertyOf(made, 'budgetId'))
    const inCapitals = await owner.send(`GET /home?projectId=${projectId.toUpperCase()}`)
    expect(inCapitals.body).toMatchObject({ budgets: [{ projectId }] })
    await owner.send(`DELETE /budgets/${propertyOf(made, 'budgetId')}`)
    expect((await owner.send('GET /home?projectId=none')).status).toBe(400)
  })
})

describe('GET /usage', () => {
  test('groups have names, totals are those of the days, and the previous period is included', async () => {
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
    expect(daily).toMatchObject({ isCut: false })
    const byErrors = (await owner.send('GET /usage?groupBy=tag&metric=errors')).body
    expect(propertyOf(byErrors, 'data')).toContainEqual(expect.objectContaining({ key: 'blue' }))
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
    'metric=wisdom',
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

  test('names are found by any part, best match first, and queries are not patterns', async () => {
    await publishWorkflow(server, 'Zebra crossing', ECHO_GRAPH)
    await publishWorkflow(server, 'The zebra', ECHO_GRAPH)
    await publishWorkflow(server, 'zebra', ECHO_GRAPH)
    expect((await hits('ZEBRA')).map(({ name }) => name)).toEqual(['zebra', 'Zebra crossing', 'The zebra'])
    expect(await hits('%')).toEqual([])
    expect(await hits('ze_ra')).toEqual([])
    expect((await hits('Organization agent')).map(({ kind }) => kind)).toEqual(['agent'])
  })

  test('a voice is found by the name of its agent, and a trunk by its own', async () => {
    const agentId = server.seed.agents.project
    const voice = await owner.send('POST /voice-configurations', {
      ...{ agentId, slug: 'deep-voice', sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' },
    })
    expect(voice.status).toBe(201)
    const trunk = await owner.send('POST /phone-trunks', {
      ...{ slug: 'trunk-of-search', name: 'Zinc line', direction: 'outbound', address: 'sip.carrier.test' },
      ...{ allowedCountries: ['GB'], provisioning: 'never' },
    })
    expect(trunk.status).toBe(201)
    const projectId = server.seed.projectId
    expect(await hits('deep-voice')).toMatchObject([
      { kind: 'voice_configuration', name: 'Project agent', projectId },
    ])
    expect(new Set((await hits('Project agent')).map(({ kind }) => kind))).toEqual(
      new Set(['agent', 'voice_configuration']),
    )
    expect(await hits('zinc')).toMatchObject([
      { kind: 'phone_trunk', name: 'Zinc line', detail: 'sip.carrier.test' },
    ])
  })

  test('runs, reviews and versions are found by the beginning of their ids, but not those of other organizations', async () => {
    const workflowId = await publishWorkflow(server, 'By id', ECHO_GRAPH)
    const runId = await startWorkflow(server, workflowId)
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

describe('GET /home/day', () => {
  test('the day has the ended runs, their failures and the cost of calls, without tests', async () => {
    const day = async () => (await owner.send('GET /home/day')).body
    const before = await day()
    await startWorkflow(server, await publishWorkflow(server, 'Calm', ECHO_GRAPH))
    await startWorkflow(server, await publishWorkflow(server, 'Broken again', BROKEN_GRAPH))
    const agentId = await newestAgent()
    await server.call(`POST /api/v1/agents/${agentId}/run`, { body: { message: 'Hi' } })
    const count = (body: unknown, name: string) => Number(field(body, name))
    await expect
      .poll(async () => count(await day(), 'runs'))
      .toBeGreaterThanOrEqual(count(before, 'runs') + 3)
    const now = await day()
    expect(count(now, 'failed')).toBe(count(before, 'failed') + 1)
    expect(now).toMatchObject({ p95Ms: expect.any(Number), isCut: false, costUsd: expect.any(Number) })
    const hours = field(now, 'hours') as { at: number; runs: number }[]
    expect(hours.reduce((sum, { runs }) => sum + runs, 0)).toBe(count(now, 'runs'))
    expect(hours.every(({ at }) => at % 3600 === 0)).toBe(true)
  })
})
