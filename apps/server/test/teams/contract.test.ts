import { COORDINATION_MODES, type CoordinationMode, type TeamJob, type TeamRunResult } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CASTS } from './answering-casts.ts'
import { BROKEN, delegate, route } from './lead-decisions.ts'
import { conversation } from './model-requests.ts'
import { RUN_ENDPOINTS, requestRun } from './run-endpoints.ts'
import { newSession, startTeamSetting, type TeamSetting, type TestTeam } from './team-setting.ts'

let setting: TeamSetting
let team: TestTeam
beforeAll(async () => {
  setting = await startTeamSetting()
  team = await setting.team('handoff')
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.play({ lead: route('m2', 'Please.'), m1: 'A', m2: 'B', m3: 'C' }))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const errorOf = (error: string) => ({ error, message: expect.any(String) })
const CONTENT: Record<CoordinationMode, string> = {
  handoff: 'B',
  'dynamic-delegation': 'Written.',
  parallel: 'Together.',
  'plan-execute': 'Done.\n\nGoal completed: yes',
}

describe('the answer of a team', () => {
  test.for(
    COORDINATION_MODES,
  )('has exactly the documented fields in %s, a plan only where there is one', async (mode) => {
    const own = await setting.team(mode)
    setting.play(CASTS[mode])
    const before = Math.floor(Date.now() / 1000)
    const { status, body } = await setting.run(own, { message: 'Please.' })
    expect(status).toBe(200)
    expect(body).toEqual({
      runId: expect.stringMatching(UUID),
      teamId: own.teamId,
      teamName: 'Desk',
      content: CONTENT[mode],
      sessionId: expect.stringMatching(UUID),
      userId: expect.stringMatching(UUID),
      createdAt: expect.any(Number),
      success: true,
      metrics: {
        inputTokens: setting.calls().length * 10,
        outputTokens: setting.calls().length * 5,
        latencyMs: expect.any(Number),
        model: null,
        failoverUsed: false,
      },
      messages: null,
      ...(mode === 'plan-execute' && {
        plan: {
          goalCompleted: true,
          stopReason: 'goal_completed',
          iterations: 1,
          maxIterations: 10,
          tasks: [
            {
              id: 't1',
              title: 'Title of t1',
              status: 'completed',
              assigneeAgentId: own.agentIds[0],
              attempts: 1,
              memberRunId: expect.stringMatching(UUID),
            },
          ],
        },
      }),
    })
    const { createdAt, metrics } = body as TeamRunResult
    expect(Number.isInteger(createdAt) && createdAt >= before).toBe(true)
    expect(Number.isInteger(metrics.latencyMs) && metrics.latencyMs >= 0).toBe(true)
  })

  test.for(COORDINATION_MODES)('is the same from a stream and from a job in %s', async (mode) => {
    const own = await setting.team(mode)
    const body = { message: 'Please.', user_id: 'eve', include_messages: true }
    const ids = (value: unknown, runId: string) =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(runId, 'run')
          .replaceAll(UUID_ANYWHERE, 'member')
          .replaceAll(/"(createdAt|latencyMs|ms)":\d+/g, '"$1":0'),
      )
    const told: unknown[] = []
    setting.play(CASTS[mode])
    const sync = await setting.result(own, { ...body, session_id: newSession() })
    told.push(ids({ ...sync, sessionId: '' }, sync.runId))
    setting.play(CASTS[mode])
    const stream = await setting.stream(own, { ...body, session_id: newSession() })
    await stream.ended
    const last = stream.events.at(-1)
    if (last?.event !== 'RunCompleted') throw new Error(JSON.stringify(last))
    told.push(ids({ ...last.result, sessionId: '' }, last.runId))
    setting.play(CASTS[mode])
    const jobId = await setting.enqueue(own, { ...body, session_id: newSession() })
    const { result } = await setting.jobEnd(jobId)
    const { runId, teamId, teamName, createdAt } = sync
    told.push(ids({ ...result, sessionId: '', runId: jobId, teamId, teamName, createdAt }, jobId))
    expect(runId).not.toBe(jobId)
    expect(told[1]).toEqual(told[0])
    expect(told[2]).toEqual(told[0])
  })

  const UUID_ANYWHERE = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

  test('has the messages of lead and members if requested, each with its run', async () => {
    const own = await setting.team('dynamic-delegation')
    setting.play({
      lead: [delegate(['m1', 'First.'], ['m2', 'Second.']), 'Both.'],
      m1: { text: 'A', headersDelayMs: 30 },
      m2: BROKEN,
    })
    const { runId, messages } = await setting.result(own, { message: 'Please.', include_messages: true })
    const ANSWERED = expect.stringMatching(/^<member_result id="call_0_0" member="m1" status="ok">\nA\n</)
    const FAILED = expect.stringMatching(/^<member_result id="call_0_1" member="m2" status="error">/)
    const nothing = { toolCalls: null, toolCallId: null, toolName: null, isError: null }
    const of = (n: number) => messages?.filter((message) => message.agentId === own.agentIds[n]) ?? []
    const memberRuns = [0, 1].map((n) =>
      messages?.find(({ content }) => content === ['First.', 'Second.'][n]),
    )
    expect(messages?.filter((message) => message.runId === runId)).toEqual(
      [
        { role: 'user', content: 'Please.', agentName: null, ...nothing },
        {
          role: 'assistant',
          content: null,
          agentName: 'Desk',
          ...nothing,
          toolCalls: [
            { toolCallId: 'call_0_0', arguments: { member: 'm1', task: 'First.' }, result: ANSWERED },
            { toolCallId: 'call_0_1', arguments: { member: 'm2', task: 'Second.' }, result: FAILED },
          ].map((call) => ({ ...call, name: 'delegate', status: 'ok', ms: expect.any(Number) })),
        },
        {
          role: 'tool',
          content: ANSWERED,
          agentName: 'Desk',
          toolCalls: null,
          toolCallId: 'call_0_0',
          toolName: 'delegate',
          isError: false,
        },
        {
          role: 'tool',
          content: FAILED,
          agentName: 'Desk',
          toolCalls: null,
          toolCallId: 'call_0_1',
          toolName: 'delegate',
          isError: false,
        },
        { role: 'assistant', content: 'Both.', agentName: 'Desk', ...nothing },
      ].map((message, idx) => ({
        id: `${runId}:${idx}`,
        agentId: null,
        runId,
        createdAt: expect.any(Number),
        ...message,
      })),
    )
    expect(of(0)).toMatchObject([{ role: 'assistant', content: 'A', agentName: 'Ada' }])
    expect(of(1)).toEqual([])
    for (const [n, message] of memberRuns.entries()) {
      expect(message).toMatchObject({ role: 'user', agentId: null, runId: expect.stringMatching(UUID) })
      expect(message?.runId).toBe(
        setting.rows.members(runId).find((row) => row.agentId === own.agentIds[n])?.runId,
      )
    }
    expect(messages?.map(({ createdAt }) => createdAt)).toEqual(
      messages?.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b),
    )
    expect(JSON.stringify(messages)).not.toMatch(/exploded|You lead|You are Ada/)
  })

  test('of a handoff is a message of the member that gave it', async () => {
    const { runId, messages } = await setting.result(team, { message: 'Please.', include_messages: true })
    const own = messages?.filter((message) => message.runId === runId)
    expect(own).toMatchObject([
      { role: 'user', content: 'Please.' },
      { role: 'assistant', content: 'B', agentId: team.agentIds[1], agentName: 'Ben' },
    ])
  })
})

describe('sessions of teams', () => {
  test('ids are generated if omitted, and echoed if given', async () => {
    const [one, two] = [
      await setting.result(team, { message: 'x' }),
      await setting.result(team, { message: 'x' }),
    ]
    expect(new Set([one.sessionId, two.sessionId, one.userId, two.userId]).size).toBe(4)
    const session_id = newSession()
    const given = await setting.result(team, { message: 'x', session_id, user_id: 'customer/1' })
    expect([given.sessionId, given.userId]).toEqual([session_id, 'customer/1'])
    const later = await setting.result(team, { message: 'y', session_id })
    expect(later.userId).toBe('customer/1')
  })

  test.for(
    RUN_ENDPOINTS,
  )('the session of another user is refused by %s, without any call', async (endpoint) => {
    const body = { message: 'x', session_id: newSession() }
    await setting.result(team, { ...body, user_id: 'eve' })
    const before = setting.calls().length
    expect(await requestRun(setting, endpoint, team.teamId, { ...body, user_id: 'mallory' })).toMatchObject({
      status: 400,
      body: {
        error: 'validation_error',
        errors: [{ path: 'user_id', message: 'session belongs to a different user' }],
      },
    })
    expect(setting.calls()).toHaveLength(before)
  })

  test('one of many users who start a session concurrently gets it', async () => {
    const session_id = newSession()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        setting.run(team, { message: 'x', session_id, user_id: `user-${n}` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(400)])
  })

  test('the same session id on another team and on a member is another session', async () => {
    const session_id = newSession()
    await setting.result(team, { message: 'A secret.', session_id, user_id: 'eve' })
    const other = await setting.team('handoff')
    await setting.result(other, { message: 'x', session_id, user_id: 'mallory' })
    await setting.call(`POST /api/v1/agents/${team.agentIds[1]}/run`, {
      body: { message: 'x', session_id, user_id: 'trent' },
    })
    expect(JSON.stringify(setting.calls().slice(2).map(conversation))).not.toContain('A secret.')
  })
})

describe('invalid requests', () => {
  const wrong: [title: string, body: object | string, paths: string[]][] = [
    ['no message', {}, ['message']],
    ['an empty message', { message: '' }, ['message']],
    ['a message that no database takes', { message: 'a\u0000b' }, ['message']],
    ['only white space', { message: ' \n\t' }, ['message']],
    ['a message of another type', { message: 5 }, ['message']],
    ['a message that is null', { message: null }, ['message']],
    ['a message over the limit', { message: 'x'.repeat(100_001) }, ['message']],
    ['an empty session id', { message: 'x', session_id: '' }, ['session_id']],
    [
      'ids over the limit',
      { message: 'x', session_id: 's'.repeat(256), user_id: 'u'.repeat(256) },
      ['session_id', 'user_id'],
    ],
    [
      'several at once',
      { message: '', session_id: 5, user_id: null, include_messages: 'yes' },
      ['message', 'session_id', 'user_id', 'include_messages'],
    ],
  ]
  test.for(
    RUN_ENDPOINTS.flatMap((endpoint) => wrong.map((row) => [row[0], endpoint, row[1], row[2]] as const)),
  )('%s is 400 on %s and names every field', async ([_title, endpoint, body, paths]) => {
    const answer = await requestRun(setting, endpoint, team.teamId, body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
    const { errors, ...rest } = answer.body as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual([...paths].sort())
    for (const error of errors) expect(error).toEqual({ path: error.path, message: expect.any(String) })
    expect(rest).toEqual(errorOf('validation_error'))
    expect(setting.calls()).toEqual([])
  })

  test.for(RUN_ENDPOINTS)('a body that is not a JSON object is 400 on %s', async (endpoint) => {
    for (const body of ['', '[]', '"x"', 'null', '{']) {
      expect((await requestRun(setting, endpoint, team.teamId, body)).status).toBe(400)
    }
    expect(setting.calls()).toEqual([])
  })

  test('the behaviour on a disconnect is one of two values', async () => {
    const answer = await requestRun(setting, 'run-stream', team.teamId, {
      message: 'x',
      on_disconnect: 'stop',
    })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'on_disconnect' }] } })
    expect(
      (await requestRun(setting, 'run-sync', team.teamId, { message: 'x', on_disconnect: 'stop' })).status,
    ).toBe(200)
  })

  test.for(
    RUN_ENDPOINTS,
  )('tag, tool_context and every unknown key are ignored by %s, with any value', async (endpoint) => {
    const body = { message: 'x', tag: '@', tool_context: 5, mode: 'parallel', members: [], stream: 1 }
    expect(
      (await requestRun(setting, endpoint, team.teamId, { ...body, tag: 'Team A' })).status,
    ).toBeLessThan(300)
    const answer = await requestRun(setting, endpoint, team.teamId, body)
    expect(answer.status).toBeLessThan(300)
    if (endpoint === 'run-async') await setting.jobEnd((answer.body as TeamJob).jobId)
    expect(setting.rows.end(setting.rows.runIds()[0])?.tag).toBeNull()
    for (const call of setting.calls()) expect(JSON.stringify(call.body)).not.toContain('Team A')
  })

  test('values at the limits are valid', async () => {
    const body = { message: 'x'.repeat(100_000), session_id: 's'.repeat(255), user_id: 'u'.repeat(255) }
    expect((await setting.run(team, body)).status).toBe(200)
    expect((await setting.run(team, { message: '?' })).status).toBe(200)
  })
})
