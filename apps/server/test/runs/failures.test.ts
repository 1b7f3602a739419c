import { randomUUID } from 'node:crypto'
import { type AgentRunResult, propertyOf } from '@troupe/contract'
import { startModelServer } from '@troupe/test-kit/model-server'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closedBySignal } from './held-polls.ts'
import { conversation, type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

/** One attempt, so that a failure needs no retry pause. */
const once = { model: { retry: { attempts_per_model: 1 } } }

test.each([
  ['an error status', { status: 500, body: { error: { message: 'db01.internal exploded' } } }],
  ['refused credentials', { status: 401, body: { error: { message: 'key sk-123 is wrong' } } }],
  ['an answer that breaks off', { text: 'half an answer', chunks: 4, breakAfter: 2 }],
  ['an error inside the stream', { text: 'half', chunks: 2, error: { after: 1, message: 'boom at host7' } }],
  ['an empty answer', { text: '' }],
])('%s of the provider is 502 with one safe sentence', async (_name, reply) => {
  const { agentId } = await setting.agent(once)
  setting.model.respond(() => reply)
  const answer = await setting.run(agentId, { message: 'x' })
  expect(answer).toMatchObject({ status: 502, body: { error: 'upstream_error' } })
  expect(JSON.stringify(answer.body)).not.toMatch(/db01|sk-123|host7|127\.0\.0\.1/)
})

/** The first call of an agent's newest run, as the page gets it. */
async function firstCall(agentId: string): Promise<unknown> {
  const { server } = setting
  const { organizationId } = server.seed
  const person = await seedPerson(server.context.database, { organizationId, role: 'viewer' })
  const headers = { cookie: await signIn(server, person), origin: ownOrigin(server) }
  const read = (path: string) =>
    server.call(`GET /api/builder/v1/organizations/${organizationId}${path}`, { key: null, headers })
  const listed = propertyOf((await read(`/runs?entityId=${agentId}&limit=1`)).body, 'data') as {
    runId: string
  }[]
  const { body } = await read(`/runs/${listed[0]?.runId}`)
  return (propertyOf(propertyOf(body, 'agentRun'), 'calls') as unknown[])[0]
}

test.each([
  ['the trace of a run', {}, 'no quota, key [redacted]'],
  ['no trace that shows no inputs', { trace_inputs: false }, null],
  ['no trace of a run whose texts are not stored', { store_messages: false }, null],
])('the message of the provider is in %s, without secrets', async (_place, privacy, providerMessage) => {
  const { agentId } = await setting.agent({ ...once, privacy })
  const message = 'no quota, key sk-abcdefghijklmnopqrstu'
  setting.model.script({ status: 429, body: { error: { message, code: 'insufficient_quota' } } })
  const answer = await setting.run(agentId, { message: 'x' })
  expect(answer).toMatchObject({
    status: 502,
    body: { message: 'The account at the model provider has no credit or quota left.' },
  })
  expect(await firstCall(agentId)).toMatchObject({ ok: false, errorCode: 'http_429', providerMessage })
})

test('a failed attempt is retried, counts its tokens once and leaves no trace in the answer', async () => {
  const { agentId } = await setting.agent()
  setting.model.script({ status: 503 }, { text: 'Second try.', usage: { inputTokens: 7, outputTokens: 2 } })
  const { status, body } = await setting.run(agentId, { message: 'x' })
  expect([status, (body as AgentRunResult).content]).toEqual([200, 'Second try.'])
  expect((body as AgentRunResult).metrics).toMatchObject({
    inputTokens: 7,
    outputTokens: 2,
    failoverUsed: false,
  })
})

test('a fallback answers with its own parameters, and the metrics report it', async () => {
  await using other = await startModelServer()
  const fallback = await setting.connect(other.url)
  const { agentId } = await setting.agent({
    model: {
      ...once.model,
      primary: { temperature: 0.9 },
      fallbacks: [{ llm_config_id: fallback, temperature: 0.1, model_id: 'spare' }],
    },
  })
  setting.model.respond(() => ({ status: 500 }))
  other.script('From the spare.')
  const { body } = await setting.run(agentId, { message: 'x' })
  expect(body).toMatchObject({ content: 'From the spare.', metrics: { failoverUsed: true } })
  expect(other.requests[0]?.body).toMatchObject({ model: 'spare', temperature: 0.1 })
})

// Measures how soon sockets are closed: a busy machine may be late.
test('a run over its limit is 504, its upstream call is aborted and the session continues', {
  retry: 2,
}, async () => {
  const { agentId } = await setting.agent({ execution: { max_seconds: 5 } })
  const session_id = randomUUID()
  setting.model.script({ text: 'never finished', chunks: 2, hang: 'stream' })
  const startedAt = Date.now()
  const answer = await setting.run(agentId, { message: 'slow', session_id })
  expect(answer).toMatchObject({
    status: 504,
    body: {
      error: 'execution_timeout',
      message: 'The run did not finish within 5 seconds and was cancelled.',
    },
  })
  const abortedAt = (await setting.model.requests[0]?.aborted) ?? 0
  expect(abortedAt - startedAt).toBeLessThan(5_400)
  expect((await setting.run(agentId, { message: 'next', session_id })).status).toBe(200)
  expect(conversation(setting.model.requests[1])).toEqual(['user: next'])
})

test('a cancel aborts the upstream call without a poll, and the blocked caller gets a response', async () => {
  const { agentId } = await setting.agent()
  const session_id = randomUUID()
  setting.model.script({ text: 'I was about to say', chunks: 3, hang: 'stream' })
  const blocked = setting.run(agentId, { message: 'talk', session_id })
  await expect.poll(() => setting.model.requests.length).toBe(1)
  const { database } = setting.server.context
  const { active } = setting.server.context.runs
  await expect.poll(() => active.size).toBe(1)
  const runId = active.runIds()[0] ?? ''
  await new Promise((resolve) => setTimeout(resolve, 50))
  const cancel = () => setting.server.call(`DELETE /api/v1/agents/${agentId}/runs/${runId}`)
  const open = setting.model.requests.map((request) => ({ request }))
  expect(await closedBySignal([setting.server], open, cancel)).toMatchObject({
    status: 200,
    body: { cancelled: true, runId },
  })
  expect(await blocked).toMatchObject({ status: 409, body: { error: 'run_cancelled' } })
  expect(await cancel()).toMatchObject({
    status: 200,
    body: { cancelled: false, runId, message: 'The run has already completed.' },
  })
  const ended = await database.jobs.ended('any worker', [runId as never])
  expect(ended).toEqual([{ runId, reason: 'cancel' }])
  await setting.run(agentId, { message: 'go on', session_id })
  expect(conversation(setting.model.requests[1])).toEqual([
    'user: talk',
    'assistant: I was about to say (stopped by the user)',
    'user: go on',
  ])
})

test('the run of another agent, project or organization cannot be cancelled or followed', async () => {
  const { seed } = setting.server
  const mine = await setting.agent()
  const { runId } = (await setting.run(mine.agentId, { message: 'x' })).body as AgentRunResult
  const attempts = [
    [mine.agentId, randomUUID(), seed.keys.organization],
    [mine.agentId, 'nonsense', seed.keys.organization],
    ['nonsense', runId, seed.keys.organization],
    [seed.agents.organization, runId, seed.keys.organization],
    [mine.agentId, runId, seed.keys.otherOrganization],
    [mine.agentId, runId, seed.keys.project],
  ] as const
  for (const [agentId, id, key] of attempts) {
    for (const target of [
      `DELETE /api/v1/agents/${agentId}/runs/${id}`,
      `GET /api/v1/agents/${agentId}/runs/${id}/stream`,
    ]) {
      expect(await setting.server.call(target, { key })).toMatchObject({
        status: 404,
        body: { error: 'run_not_found', message: 'Run not found for this agent.' },
      })
    }
  }
})
