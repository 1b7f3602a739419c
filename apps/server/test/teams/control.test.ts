import { randomUUID } from 'node:crypto'
import { TestClock } from '@troupe/agents/testing/test-clock'
import { type CoordinationMode, newId, type TeamJob } from '@troupe/contract'
import { createChatModels } from '@troupe/models'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CASTS } from './answering-casts.ts'
import { broadcast, delegate, plan, route } from './lead-decisions.ts'
import { conversation } from './model-requests.ts'
import { RUN_ENDPOINTS, requestRun } from './run-endpoints.ts'
import { type Cast, newSession, startTeamSetting, type TeamSetting, type TestTeam } from './team-setting.ts'

const clock = new TestClock()
/** The jump of the clock at the next id of a run: between its acceptance and its start. */
let jump = 0
let setting: TeamSetting
let team: TestTeam
beforeAll(async () => {
  setting = await startTeamSetting({
    overrides: {
      clock,
      // By the machine's clock: with less than two seconds left a chain does not start.
      chatModels: createChatModels({ fetch }),
      newId(kind) {
        clock.advance(jump)
        jump = 0
        return newId(kind)
      },
    },
  })
  team = await setting.team('handoff')
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => {
  clock.reset()
  setting.play({ lead: route('m2', 'Please.'), m1: 'A', m2: 'B', m3: 'C' })
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const errorOf = (error: string) => ({ error, message: expect.any(String) })

describe('the limit of 30 seconds', () => {
  // Measures how soon the run is over: a busy machine may be late.
  test.for<[CoordinationMode, Cast, number]>([
    ['handoff', { lead: route('m1', 'x'), m1: { text: 'torn', hang: 'stream' } }, 1],
    [
      'parallel',
      { lead: broadcast('x'), m1: 'A', m2: { hang: 'headers' }, m3: { text: 'torn', hang: 'stream' } },
      2,
    ],
    [
      'dynamic-delegation',
      { lead: delegate(['m1', 'x'], ['m2', 'y']), m1: { hang: 'headers' }, m2: { hang: 'stream' } },
      2,
    ],
    ['plan-execute', { lead: plan({ id: 't1', assignee: 'm1' }), m1: { hang: 'stream' } }, 1],
  ])('a %s run over it is 504 and all upstream calls are aborted', { retry: 2 }, async ([
    mode,
    cast,
    open,
  ]) => {
    const own = await setting.team(mode)
    const session_id = newSession()
    setting.play(cast)
    jump = 28_700
    const startedAt = Date.now()
    const { status, body } = await setting.run(own, { message: 'slow', session_id })
    expect([status, body]).toEqual([
      504,
      { error: 'execution_timeout', message: 'The run did not finish within 30 seconds and was cancelled.' },
    ])
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    await expect.poll(() => setting.calls().filter(({ abortedAt }) => abortedAt !== null).length).toBe(open)
    const calls = setting.calls().length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(setting.calls()).toHaveLength(calls)
    expect(setting.rows.end(setting.rows.runIds()[0])?.status).toBe('timeout')
    setting.play(CASTS[mode])
    expect((await setting.run(own, { message: 'next', session_id })).status).toBe(200)
    expect(JSON.stringify(setting.calls().map(conversation))).not.toContain('slow')
  })

  test('does not end a stream or a job', async () => {
    for (const endpoint of ['stream', 'job'] as const) {
      setting.play({ lead: route('m1', 'x'), m1: { text: 'In time.', headersDelayMs: 1_500 } })
      jump = 28_700
      if (endpoint === 'job') {
        expect((await setting.jobEnd(await setting.enqueue(team, { message: 'x' }))).status).toBe('completed')
      } else {
        const stream = await setting.stream(team, { message: 'x' })
        await stream.ended
        expect(stream.events.at(-1)?.event).toBe('RunCompleted')
      }
    }
  })
})

describe('the cancel of a run', () => {
  const HANGING: Cast = { lead: route('m1', 'x'), m1: { text: 'I was about', chunks: 2, hang: 'stream' } }
  const cancel = (teamId: string, runId: string, key?: string) =>
    setting.call(`DELETE /api/v1/teams/${teamId}/runs/${runId}`, { ...(key && { key }) })

  test('is 200 in both cases, with the run id of RunStarted', async () => {
    setting.play(HANGING)
    const stream = await setting.stream(team, { message: 'x' })
    await expect.poll(() => stream.events.some(({ event }) => event === 'RunContent')).toBe(true)
    const runId = stream.events[0]?.runId ?? ''
    expect(stream.events[0]?.event).toBe('RunStarted')
    const [first, second] = [await cancel(team.teamId, runId), await cancel(team.teamId, runId)]
    expect([first.status, first.body]).toEqual([200, { cancelled: true, runId }])
    expect([second.status, second.body]).toEqual([
      200,
      { cancelled: false, runId, message: 'The run has already completed.' },
    ])
    await stream.ended
    expect(stream.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user' })
  })

  test('of an answered run changes nothing, and returns the run id of its result', async () => {
    const { runId } = await setting.result(team, { message: 'x' })
    const { status, body } = await cancel(team.teamId, runId)
    expect([status, body]).toEqual([
      200,
      { cancelled: false, runId, message: 'The run has already completed.' },
    ])
  })

  test('reaches the blocked caller of the run, and no other callers', async () => {
    setting.play(HANGING)
    const blocked = setting.run(team, { message: 'x' })
    const { active } = setting.server.context.runs
    await expect.poll(() => active.size).toBe(1)
    await cancel(team.teamId, active.runIds()[0] ?? '')
    const answer = await blocked
    expect([answer.status, answer.body]).toEqual([409, errorOf('run_cancelled')])
  })

  test('of any other run is the same 404', async () => {
    const { seed } = setting.server
    const { runId } = await setting.result(team, { message: 'x' })
    const other = await setting.team('handoff')
    for (const [teamId, id, key] of [
      [team.teamId, randomUUID(), seed.keys.organization],
      [team.teamId, 'nonsense', seed.keys.organization],
      ['nonsense', runId, seed.keys.organization],
      [other.teamId, runId, seed.keys.organization],
      [team.agentIds[0] ?? '', runId, seed.keys.organization],
      [team.teamId, runId, seed.keys.otherOrganization],
      [team.teamId, runId, seed.keys.project],
    ] as const) {
      const { status, body } = await cancel(teamId, id, key)
      expect([status, body]).toEqual([
        404,
        { error: 'run_not_found', message: 'Run not found for this team.' },
      ])
    }
    expect((await setting.call(`DELETE /api/v1/agents/${team.agentIds[0]}/runs/${runId}`)).status).toBe(404)
  })
})

describe('jobs of teams', () => {
  const job = async (jobId: string) => (await setting.call(`GET /api/v1/team-jobs/${jobId}`)).body as TeamJob

  test('are accepted, run, and have the fields of their table', async () => {
    setting.play({ lead: route('m2', 'x'), m2: { text: 'B', headersDelayMs: 60 } })
    const accepted = await requestRun(setting, 'run-async', team.teamId, { message: 'x', user_id: 'eve' })
    const { jobId, createdAt } = accepted.body as TeamJob
    expect([accepted.status, accepted.body]).toEqual([
      202,
      {
        jobId: expect.stringMatching(UUID),
        teamId: team.teamId,
        status: 'queued',
        createdAt: expect.any(Number),
      },
    ])
    const ended = await setting.jobEnd(jobId)
    expect(ended).toEqual({
      jobId,
      teamId: team.teamId,
      status: 'completed',
      createdAt,
      startedAt: expect.any(Number),
      completedAt: expect.any(Number),
      result: {
        content: 'B',
        sessionId: expect.stringMatching(UUID),
        userId: 'eve',
        metrics: {
          inputTokens: 20,
          outputTokens: 10,
          latencyMs: expect.any(Number),
          model: null,
          failoverUsed: false,
        },
        messages: null,
        success: true,
      },
      error: null,
    })
  })

  test('have a plan and messages if there are any', async () => {
    const own = await setting.team('plan-execute')
    setting.play(CASTS['plan-execute'])
    const { result } = await setting.jobEnd(
      await setting.enqueue(own, { message: 'x', include_messages: true }),
    )
    expect(result?.plan).toMatchObject({ goalCompleted: true, tasks: [{ id: 't1', status: 'completed' }] })
    expect(result?.messages?.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: x',
      'user: Do t1.',
      'assistant: A',
      'assistant: Done.\n\nGoal completed: yes',
    ])
  })

  test('are cancelled while they run, also repeatedly', async () => {
    setting.play({ lead: route('m1', 'x'), m1: { text: 'torn', hang: 'stream' } })
    const jobId = await setting.enqueue(team, { message: 'x' })
    await expect.poll(() => setting.calls('m1').length).toBe(1)
    expect((await job(jobId)).status).toBe('running')
    const cancel = () => setting.call(`POST /api/v1/team-jobs/${jobId}/cancel`)
    for (const answer of [await cancel(), await cancel()]) {
      expect([answer.status, answer.body]).toEqual([200, { jobId, status: 'cancelled' }])
    }
    expect(await setting.calls('m1')[0]?.aborted).toBeGreaterThan(0)
    expect(await job(jobId)).toMatchObject({ status: 'cancelled', result: null, error: null })
  })

  test('keep their verdict if they are cancelled too late', async () => {
    const jobId = await setting.enqueue(team, { message: 'x' })
    await setting.jobEnd(jobId)
    const { body } = await setting.call(`POST /api/v1/team-jobs/${jobId}/cancel`)
    expect(body).toEqual({ jobId, status: 'completed' })
    expect((await job(jobId)).status).toBe('completed')
  })

  test('are found by their own endpoint, organization and project only', async () => {
    const { seed } = setting.server
    const jobId = await setting.enqueue(team, { message: 'x' })
    await setting.jobEnd(jobId)
    const agentJob = await setting.call(`POST /api/v1/agents/${team.agentIds[0]}/run-async`, {
      body: { message: 'x' },
    })
    const agentJobId = (agentJob.body as { jobId: string }).jobId
    const { runId } = await setting.result(team, { message: 'x' })
    const unknown = { error: 'job_not_found', message: 'Job not found.' }
    for (const [path, key] of [
      [`team-jobs/${randomUUID()}`, seed.keys.organization],
      ['team-jobs/nonsense', seed.keys.organization],
      [`team-jobs/${agentJobId}`, seed.keys.organization],
      [`team-jobs/${runId}`, seed.keys.organization],
      [`jobs/${jobId}`, seed.keys.organization],
      [`team-jobs/${jobId}`, seed.keys.otherOrganization],
      [`team-jobs/${jobId}`, seed.keys.project],
    ] as const) {
      for (const target of [`GET /api/v1/${path}`, `POST /api/v1/${path}/cancel`]) {
        const { status, body } = await setting.call(target, { key })
        expect([status, body]).toEqual([404, unknown])
      }
    }
  })
})

test('an Idempotency-Key repeats the first response without another call, and another body is 409', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const body = { message: 'x', include_messages: true }
  setting.play({ lead: route('m2', 'x'), m2: { text: 'B', headersDelayMs: 50 } })
  const answers = await Promise.all(Array.from({ length: 3 }, () => setting.run(team, body, key)))
  answers.push(await setting.run(team, body, key))
  for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body)
  expect(setting.calls()).toHaveLength(2)
  expect(await setting.run(team, { ...body, message: 'y' }, key)).toMatchObject({
    status: 409,
    body: { error: 'idempotency_conflict' },
  })
})

test('a stopping server starts nothing and reports it', async () => {
  await using server = await startTestServer({ overrides: { database: setting.server.context.database } })
  await server.context.runs.active.drain(0)
  for (const endpoint of RUN_ENDPOINTS) {
    const answer = await server.call(`POST /api/v1/teams/${team.teamId}/${endpoint}`, {
      key: setting.server.seed.keys.organization,
      body: { message: 'x' },
    })
    expect([answer.status, answer.body]).toEqual([502, errorOf('bad_gateway')])
  }
  expect(setting.calls()).toEqual([])
})
