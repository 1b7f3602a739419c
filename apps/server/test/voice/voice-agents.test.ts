import { randomUUID } from 'node:crypto'
import { AgentId, newId } from '@troupe/contract'
import { agentRecord } from '@troupe/test-kit/agent-record'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addVoice } from './voice-setting.ts'

const LIST = 'GET /api/v1/voice-agents'

/** Without any media server: the list is rows only. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ organizationRpm: 10_000 })
})
afterAll(() => server[Symbol.asyncDispose]())

async function newAgent(
  changes: { status?: 'draft' | 'archived'; description?: string } = {},
): Promise<AgentId> {
  const { organizationId, projectId } = server.seed
  const id = newId(AgentId)
  await server.context.database.transaction(({ write }) =>
    write.agents.insert(agentRecord({ id, organizationId, projectId, name: `Agent ${id}`, ...changes }), {
      kind: 'system',
      id: null,
      ip: null,
      requestId: null,
    }),
  )
  await addVoice(server, { organizationId, projectId, agentId: id })
  return id
}

const dataOf = ({ body }: TestAnswer) => (body as { data: { agentId: string }[] }).data
const idsOf = (answer: TestAnswer) => dataOf(answer).map(({ agentId }) => agentId)

describe('the list of voice agents', () => {
  test('has exactly the fields of the specification, with an empty description instead of null', async () => {
    const { organizationId, agents } = server.seed
    const voiceConfigId = await addVoice(server, {
      organizationId,
      projectId: null,
      agentId: agents.organization,
    })
    const answer = await server.call(LIST)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: [
        {
          agentId: agents.organization,
          name: 'Organization agent',
          description: '',
          voiceConfigId,
          voiceProvider: 'local-flite',
          sttProvider: 'local-pocketsphinx',
          projectId: null,
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
    })
  })

  test('shows drafts, hides archived agents, and is newest first in pages', async () => {
    const draft = await newAgent({ status: 'draft', description: 'Still being made.' })
    await newAgent({ status: 'archived' })
    const newest = await newAgent()
    const all = await server.call(LIST)
    expect(idsOf(all).slice(0, 2)).toEqual([newest, draft])
    expect(all.body).toMatchObject({ total: 3 })
    expect(dataOf(all)[1]).toMatchObject({ description: 'Still being made.' })
    const second = await server.call(`${LIST}?page=2&limit=1`)
    expect(second.body).toMatchObject({ total: 3, page: 2, limit: 1 })
    expect(idsOf(second)).toEqual([draft])
    expect((await server.call(`${LIST}?page=9`)).body).toMatchObject({ data: [], total: 3 })
  })

  test('is limited to the project of a project-scoped key, for any requested project', async () => {
    const { keys, otherProjectId, otherOrganizationProjectId } = server.seed
    const own = idsOf(await server.call(LIST, { key: keys.project }))
    expect(own).toHaveLength(2)
    for (const projectRefId of [otherProjectId, otherOrganizationProjectId, 'nonsense']) {
      const answer = await server.call(`${LIST}?projectRefId=${projectRefId}`, { key: keys.project })
      expect([answer.status, idsOf(answer)]).toEqual([200, own])
    }
    expect(idsOf(await server.call(LIST, { key: keys.otherProject }))).toEqual([])
    expect(idsOf(await server.call(LIST, { key: keys.otherOrganization }))).toEqual([])
  })

  test('can be filtered by project with an organization key', async () => {
    const { projectId, otherProjectId } = server.seed
    expect(idsOf(await server.call(`${LIST}?projectRefId=${projectId}`))).toHaveLength(2)
    expect(idsOf(await server.call(`${LIST}?projectRefId=${otherProjectId}`))).toEqual([])
  })

  test.for([
    'page=0',
    'page=x',
    'limit=0',
    'limit=101',
    'projectRefId=abc',
  ])('answers 400 with the path for %s', async (query) => {
    const answer = await server.call(`${LIST}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: 'validation_error',
      errors: [{ path: query.split('=')[0], message: expect.any(String) }],
    })
  })

  test('answers 422 for a project of another organization, exactly as for an unknown one', async () => {
    const foreign = await server.call(`${LIST}?projectRefId=${server.seed.otherOrganizationProjectId}`)
    const unknown = await server.call(`${LIST}?projectRefId=${randomUUID()}`)
    expect([foreign.status, foreign.body]).toEqual([422, unknown.body])
    expect(foreign.body).toMatchObject({ error: 'project_not_found' })
  })
})

describe('the limit of the list', () => {
  test('is 100 per minute and key, and is in the headers instead of the limit of the organization', async () => {
    const key = server.seed.keys.limited
    const first = await server.call(LIST, { key })
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-key-limit': '3',
      'x-ratelimit-key-remaining': '2',
    })
    const seconds = Number(first.headers['x-ratelimit-reset']) - Date.now() / 1000
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(61)
    expect((await server.call('GET /api/v1/agents', { key })).headers['x-ratelimit-limit']).toBe('10000')
  })

  test('counts invalid requests too, and refuses the 101st request', async () => {
    const key = server.seed.keys.otherProject
    await using fresh = await startTestServer()
    const own = { key: fresh.seed.keys.organization }
    for (let sent = 1; sent <= 100; sent += 1) {
      const answer = await fresh.call(sent % 2 === 0 ? `${LIST}?page=0` : LIST, own)
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(100 - sent))
    }
    const refused = await fresh.call(LIST, own)
    expect(refused.status).toBe(429)
    const retryAfter = refused.headers['retry-after']
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-retry-after': retryAfter,
    })
    expect(refused.body).toEqual({
      error: 'rate_limit_exceeded',
      message: expect.stringContaining('100 requests per minute'),
      retry_after: Number(retryAfter),
    })
    // Other keys, and other endpoints of the same key, are counted separately.
    expect((await server.call(LIST, { key })).status).toBe(200)
    expect((await fresh.call('GET /api/v1/agents', own)).status).toBe(200)
  })

  test('is not consumed by requests over the limit of the key or the organization', async () => {
    await using fresh = await startTestServer()
    const own = { key: fresh.seed.keys.limited }
    for (const remaining of ['99', '98', '97']) {
      expect((await fresh.call(LIST, own)).headers['x-ratelimit-remaining']).toBe(remaining)
    }
    const refused = await fresh.call(LIST, own)
    expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '100000'])
    expect(refused.body).toMatchObject({ message: expect.stringContaining('Per-key rate limit exceeded') })
    expect(refused.headers['x-ratelimit-retry-after']).toBe(refused.headers['retry-after'])
  })

  test('is not consumed by a wrong key', async () => {
    await using fresh = await startTestServer()
    for (let sent = 0; sent < 3; sent += 1) expect((await fresh.call(LIST, { key: 'x' })).status).toBe(401)
    expect((await fresh.call(LIST)).headers['x-ratelimit-remaining']).toBe('99')
  })
})
