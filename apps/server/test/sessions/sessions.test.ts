import { randomUUID } from 'node:crypto'
import type { AgentRunResult, OPERATIONS, ResultOf, Session } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { conversation, type RunSetting, startRunSetting } from '../runs/model-agent.ts'

type Messages = ResultOf<(typeof OPERATIONS)['listSessionMessages']>

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const call = (target: string, key?: string) => setting.server.call(target, key ? { key } : {})

test('sessions are listed newest first, by agent and by user, with their messages', async () => {
  const { agentId } = await setting.agent({
    tools: [{ type: 'builtin', name: 'calculator', builtin: 'calculator' }],
  })
  const user_id = randomUUID()
  const [first, second] = [randomUUID(), randomUUID()]
  setting.model.script(
    { toolCalls: [{ name: 'calculator', arguments: { expression: '6 * 7' } }] },
    'It is 42.',
    'And 43.',
    'Hi.',
  )
  await setting.run(agentId, { message: '6 times 7?', session_id: first, user_id })
  await setting.run(agentId, { message: 'And then?', session_id: first, user_id })
  await setting.run(agentId, { message: 'Hello', session_id: second })
  const list = async (query: string) =>
    ((await call(`GET /api/v1/sessions?${query}`)).body as { data: Session[] }).data.map((s) => s.sessionId)
  expect(await list(`agent_id=${agentId}`)).toEqual([second, first])
  expect(await list(`agent_id=${agentId}&user_id=${user_id}`)).toEqual([first])
  expect(await list(`user_id=${user_id}&limit=1&page=2`)).toEqual([])
  expect(await list(`team_id=${randomUUID()}`)).toEqual([])
  expect((await call(`GET /api/v1/sessions/${first}`)).body).toMatchObject({
    sessionId: first,
    kind: 'agent',
    agentId,
    teamId: null,
    userId: user_id,
    runs: 2,
  })
  const { body } = await call(`GET /api/v1/sessions/${first}/messages`)
  const { data, total } = body as Messages
  expect(total).toBe(6)
  expect(data.map(({ role, content }) => [role, content])).toEqual([
    ['user', '6 times 7?'],
    ['assistant', null],
    ['tool', '42'],
    ['assistant', 'It is 42.'],
    ['user', 'And then?'],
    ['assistant', 'And 43.'],
  ])
  const last = (await call(`GET /api/v1/sessions/${first}/messages?limit=2&page=3`)).body as Messages
  expect(last).toMatchObject({ total: 6, data: [{ content: 'And then?' }, { content: 'And 43.' }] })
})

test('the storage and the prompt of a turn do not grow with the session', async () => {
  const { agentId } = await setting.agent({ memory: { history: { max_runs: 2 } } })
  const session_id = randomUUID()
  const texts: string[][] = []
  for (let turn = 0; turn < 6; turn += 1) {
    const body = { message: `Turn ${turn}: ${'x'.repeat(500)}`, session_id, include_messages: true }
    const { messages } = (await setting.run(agentId, body)).body as AgentRunResult
    texts.push((messages ?? []).map(({ role }) => role))
  }
  expect(setting.model.requests.map((request) => conversation(request).length)).toEqual([1, 3, 5, 5, 5, 5])
  expect(texts).toEqual(Array.from({ length: 6 }, () => ['user', 'assistant']))
  const { body } = await call(`GET /api/v1/sessions/${session_id}/messages?limit=100`)
  expect((body as Messages).total).toBe(12)
})

test('a deleted session leaves no text, keeps its usage, and its id starts a new one', async () => {
  const { agentId } = await setting.agent()
  const session_id = randomUUID()
  const secret = `secret ${randomUUID()}`
  const started = (await setting.run(agentId, { message: secret, session_id, tag: 'deleted' })).body
  const { runId } = started as AgentRunResult
  expect((await call(`DELETE /api/v1/sessions/${session_id}`)).status).toBe(204)
  expect((await call(`GET /api/v1/sessions/${session_id}`)).body).toMatchObject({
    error: 'session_not_found',
  })
  expect((await call(`DELETE /api/v1/sessions/${session_id}`)).status).toBe(404)
  expect((await call(`GET /api/v1/agents/${agentId}/runs/${runId}/stream`)).status).toBe(404)
  const usage = (await call('GET /api/v1/usage?group_by=tag')).body
  expect(usage).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ key: 'deleted', runs: 1 })]),
  })
  setting.model.reset()
  await setting.run(agentId, { message: 'Again', session_id })
  expect(conversation(setting.model.requests[0]).join('\n')).not.toContain(secret)
})

test('a session is in use while a run of it is in flight', async () => {
  const { agentId } = await setting.agent()
  const session_id = randomUUID()
  setting.model.script({ hang: 'stream' })
  const path = `POST /api/v1/agents/${agentId}/run-async`
  const job = await setting.server.call(path, { body: { message: 'Hello', session_id } })
  const { jobId } = job.body as { jobId: string }
  expect(await call(`DELETE /api/v1/sessions/${session_id}`)).toMatchObject({
    status: 409,
    body: { error: 'in_use' },
  })
  await call(`POST /api/v1/jobs/${jobId}/cancel`)
  expect((await call(`DELETE /api/v1/sessions/${session_id}`)).status).toBe(204)
})

test('an id shared by an agent and a team requires naming one of them', async () => {
  const { agentId } = await setting.agent()
  const { organizationId, keys } = setting.server.seed
  const { teamId } = await seedTeam(setting.server.context.database, { organizationId, projectId: null })
  const session_id = randomUUID()
  await setting.run(agentId, { message: 'Hello', session_id })
  await setting.server.call(`POST /api/v1/teams/${teamId}/run-sync`, {
    body: { message: 'Hello', session_id },
  })
  expect(await call(`GET /api/v1/sessions/${session_id}`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'agent_id' }] },
  })
  expect((await call(`GET /api/v1/sessions/${session_id}?team_id=${teamId}`)).body).toMatchObject({
    kind: 'team',
    teamId,
  })
  expect((await call(`GET /api/v1/sessions/${session_id}?agent_id=${agentId}`)).body).toMatchObject({
    agentId,
  })
  expect(await call(`GET /api/v1/sessions/${session_id}`, keys.project)).toMatchObject({ status: 403 })
})
