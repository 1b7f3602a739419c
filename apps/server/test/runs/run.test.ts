import { randomUUID } from 'node:crypto'
import type { AgentRunResult } from '@troupe/contract'
import { startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conversation, type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('the answer of a run', () => {
  test('has exactly the documented fields', async () => {
    const { agentId } = await setting.agent({ instructions: 'Be brief.' })
    setting.model.script({ text: 'Good morning.', usage: { inputTokens: 12, outputTokens: 3 } })
    const before = Math.floor(Date.now() / 1000)
    const { status, body } = await setting.run(agentId, { message: 'Greet me' })
    const result = body as AgentRunResult
    expect(status).toBe(200)
    expect(result).toEqual({
      runId: expect.stringMatching(UUID),
      agentId,
      agentName: 'Ada',
      content: 'Good morning.',
      sessionId: expect.stringMatching(UUID),
      userId: expect.stringMatching(UUID),
      createdAt: expect.any(Number),
      success: true,
      metrics: {
        inputTokens: 12,
        outputTokens: 3,
        latencyMs: expect.any(Number),
        model: null,
        failoverUsed: false,
      },
      messages: null,
    })
    expect(result.createdAt).toBeGreaterThanOrEqual(before)
    expect(conversation(setting.model.requests[0])).toEqual(['system: Be brief.', 'user: Greet me'])
  })

  test('has the messages of this run if requested', async () => {
    const { agentId } = await setting.agent()
    setting.model.script('Yes.')
    const { body } = await setting.run(agentId, { message: 'Really?', include_messages: true })
    const { runId, messages } = body as AgentRunResult
    const nothing = { toolCalls: null, toolCallId: null, toolName: null, isError: null }
    const at = { runId, createdAt: expect.any(Number) }
    expect(messages).toEqual([
      {
        id: `${runId}:0`,
        role: 'user',
        content: 'Really?',
        agentId: null,
        agentName: null,
        ...nothing,
        ...at,
      },
      { id: `${runId}:1`, role: 'assistant', content: 'Yes.', agentId, agentName: 'Ada', ...nothing, ...at },
    ])
  })

  test('is unsuccessful if the provider withheld content', async () => {
    const { agentId } = await setting.agent()
    setting.model.script({ text: 'I cannot', finishReason: 'content_filter' })
    const { status, body } = await setting.run(agentId, { message: 'x' })
    expect([status, (body as AgentRunResult).success]).toEqual([200, false])
  })
})

describe('sessions', () => {
  test('a session continues its conversation and keeps its user', async () => {
    const { agentId } = await setting.agent()
    setting.model.script('Hi Eve.', 'You are Eve.')
    const first = (await setting.run(agentId, { message: 'I am Eve' })).body as AgentRunResult
    const second = (await setting.run(agentId, { message: 'Who am I?', session_id: first.sessionId }))
      .body as AgentRunResult
    expect([second.sessionId, second.userId]).toEqual([first.sessionId, first.userId])
    expect(conversation(setting.model.requests[1])).toEqual([
      'user: I am Eve',
      'assistant: Hi Eve.',
      'user: Who am I?',
    ])
  })

  test('an unknown session id starts a session with that id, and another agent has its own', async () => {
    const [one, two] = [await setting.agent(), await setting.agent()]
    const name = `chat/${randomUUID()}`
    for (const { agentId } of [one, two]) {
      const { body } = await setting.run(agentId, { message: 'Hello', session_id: name })
      expect((body as AgentRunResult).sessionId).toBe(name)
    }
    expect(conversation(setting.model.requests[1])).toEqual(['user: Hello'])
  })

  test('the caller names the owner, and another user is refused', async () => {
    const { agentId } = await setting.agent()
    const body = { message: 'Hello', session_id: randomUUID(), user_id: 'customer-1' }
    expect((await setting.run(agentId, body)).body).toMatchObject({ userId: 'customer-1' })
    expect(await setting.run(agentId, { ...body, user_id: 'customer-2' })).toMatchObject({
      status: 400,
      body: {
        error: 'validation_error',
        errors: [{ path: 'user_id', message: 'session belongs to a different user' }],
      },
    })
  })

  test('only one of two users who start a session concurrently gets it', async () => {
    // A refused run has already called its model, and that call may arrive late: not at the next test's model.
    await using model = await startModelServer()
    const llm_config_id = await setting.connect(model.url)
    const { agentId } = await setting.agent({ model: { primary: { llm_config_id } } })
    const session_id = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        setting.run(agentId, { message: 'Mine', session_id, user_id: `user-${index}` }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(400)])
  })

  test('history is cut to half of the context window, oldest runs first and whole', async () => {
    const small = await setting.connect(setting.model.url, 200)
    const { agentId } = await setting.agent({ model: { primary: { llm_config_id: small } } })
    const session_id = randomUUID()
    for (const letter of ['a', 'b', 'c']) {
      setting.model.script('-')
      await setting.run(agentId, { message: letter.repeat(150), session_id })
    }
    setting.model.reset()
    await setting.run(agentId, { message: 'last', session_id })
    expect(conversation(setting.model.requests[0])).toEqual([
      `user: ${'b'.repeat(150)}`,
      'assistant: -',
      `user: ${'c'.repeat(150)}`,
      'assistant: -',
      'user: last',
    ])
  })

  test('an agent with history switched off sees only the message', async () => {
    const { agentId } = await setting.agent({ memory: { history: { enabled: false } } })
    const session_id = randomUUID()
    await setting.run(agentId, { message: 'one', session_id })
    await setting.run(agentId, { message: 'two', session_id })
    expect(conversation(setting.model.requests[1])).toEqual(['user: two'])
  })

  test('a long session is summarised in the background, and the next run sees the summary', async () => {
    const { agentId } = await setting.agent({ memory: { summary: { trigger_tokens: 1_000 } } })
    const session_id = randomUUID()
    const long = 'The order number is 4711. '.repeat(80)
    setting.model.respond((request) =>
      conversation(request)[0]?.includes('memory of a conversation') ? 'They talked about order 4711.' : 'ok',
    )
    for (let index = 0; index < 4; index++)
      await setting.run(agentId, { message: `${index} ${long}`, session_id })
    await expect
      .poll(async () => {
        await setting.run(agentId, { message: 'and now?', session_id })
        return conversation(setting.model.requests.at(-1))[0]
      })
      .toContain('They talked about order 4711.')
    expect(conversation(setting.model.requests.at(-1)).join()).not.toContain('user: 0 ')
  })

  test('texts that the agent does not store are missing in the next run', async () => {
    const { agentId } = await setting.agent({ privacy: { store_messages: false } })
    const session_id = randomUUID()
    expect((await setting.run(agentId, { message: 'secret', session_id })).status).toBe(200)
    await setting.run(agentId, { message: 'next', session_id })
    // A summary for an earlier test may be requested in the meantime.
    const asked = setting.model.requests.map((request) => conversation(request).join())
    expect(asked.filter((text) => text.includes('user: next'))).toEqual(['user: next'])
  })
})

describe('invalid requests', () => {
  test.each([
    ['no message', {}, ['message']],
    ['an empty message', { message: '' }, ['message']],
    ['only white space', { message: ' \n\t' }, ['message']],
    ['a message of another type', { message: 5 }, ['message']],
    ['a message over the limit', { message: 'x'.repeat(100_001) }, ['message']],
    [
      'several at once',
      { message: 'x', session_id: '', user_id: 7, include_messages: 'yes', tag: '@team' },
      ['session_id', 'user_id', 'include_messages', 'tag'],
    ],
    ['a tool context over its limits', { message: 'x', tool_context: { '1a': 1 } }, ['tool_context.1a']],
  ])('%s is 400 and names every field', async (_name, body, paths) => {
    const { agentId } = await setting.agent()
    const answer = await setting.run(agentId, body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
    const errors = (answer.body as { errors: { path: string }[] }).errors
    expect(errors.map((error) => error.path).sort()).toEqual([...paths].sort())
    expect(setting.model.requests).toEqual([])
  })

  test('values at the limits are valid, and unknown fields are ignored', async () => {
    const { agentId } = await setting.agent()
    const body = {
      message: 'x'.repeat(100_000),
      session_id: 's'.repeat(255),
      user_id: 'u'.repeat(255),
      tag: 'Team A/b.c:d_e-1',
      tool_context: { customer: { id: '42' } },
      temperature: 2,
    }
    expect((await setting.run(agentId, body)).status).toBe(200)
  })
})

describe('agents that cannot run', () => {
  test.each([
    ['unknown', () => randomUUID()],
    ['of another organization', () => setting.server.seed.agents.otherOrganization],
    ['with a malformed id', () => 'not-a-uuid'],
  ])('an agent %s is the same 404', async (_name, id) => {
    expect(await setting.run(id(), { message: 'x' })).toMatchObject({
      status: 404,
      body: { error: 'agent_not_found', message: 'Agent not found in this organization.' },
    })
  })

  test('a project key may run the agents of its project only', async () => {
    const { seed } = setting.server
    const run = (id: string) =>
      setting.server.call(`POST /api/v1/agents/${id}/run`, { key: seed.keys.project, body: { message: 'x' } })
    expect((await run(seed.agents.project)).status).toBe(200)
    for (const id of [seed.agents.organization, seed.agents.otherProject]) {
      expect(await run(id)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    }
  })

  test('validation precedes the lookup of the agent', async () => {
    expect((await setting.run(randomUUID(), {})).status).toBe(400)
  })
})

describe('an Idempotency-Key', () => {
  test('repeats the first response without another model call, including for concurrent requests', async () => {
    const { agentId } = await setting.agent()
    setting.model.respond(() => ({ text: 'Once.', headersDelayMs: 50 }))
    const key = { 'idempotency-key': randomUUID() }
    const body = { message: 'x', include_messages: true }
    const answers = await Promise.all(Array.from({ length: 5 }, () => setting.run(agentId, body, key)))
    const later = await setting.run(agentId, { include_messages: true, message: 'x' }, key)
    for (const answer of [...answers, later])
      expect(answer).toMatchObject({ status: 200, body: answers[0]?.body })
    expect(setting.model.requests).toHaveLength(1)
  })

  test('with another body is 409', async () => {
    const { agentId } = await setting.agent()
    const key = { 'idempotency-key': randomUUID() }
    await setting.run(agentId, { message: 'x' }, key)
    expect(await setting.run(agentId, { message: 'y' }, key)).toMatchObject({
      status: 409,
      body: { error: 'idempotency_conflict' },
    })
  })
})
