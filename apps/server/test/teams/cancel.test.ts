import type { CoordinationMode, StreamEvent } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutPolls } from '../runs/held-polls.ts'
import { BROKEN, broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import { conversation, promptDefect } from './model-requests.ts'
import { type Cast, newSession, startTeamSetting, type TeamSetting } from './team-setting.ts'
import { tokensOf } from './written-rows.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const SILENT = { hang: 'headers' } as const
const WRITING = { text: 'I was about', chunks: 2, hang: 'stream' } as const
const t1 = { id: 't1', assignee: 'm1' }
const t2 = { id: 't2', assignee: 'm2' }

/** A moment of a mode with open model calls. */
interface Phase {
  title: string
  mode: CoordinationMode
  cast: Cast
  /** Calls received before the cancel. */
  calls: number
  /** The number of them in progress. */
  open: number
  /** The partial answer. */
  partial: string
  /** Statuses of the members' rows in the order of their end. */
  members: string[]
}

const PHASES: Phase[] = [
  {
    title: 'handoff, while the lead routes',
    mode: 'handoff',
    cast: { lead: SILENT },
    calls: 1,
    open: 1,
    partial: '',
    members: [],
  },
  {
    title: 'handoff, while the member answers',
    mode: 'handoff',
    cast: { lead: route('m1', 'x'), m1: WRITING },
    calls: 2,
    open: 1,
    partial: 'I was about',
    members: ['cancelled'],
  },
  {
    title: 'handoff, while the second member answers',
    mode: 'handoff',
    cast: { lead: [route('m1', 'x'), route('m2', 'x')], m1: BROKEN, m2: WRITING },
    calls: 4,
    open: 1,
    partial: 'I was about',
    members: ['failed', 'cancelled'],
  },
  {
    title: 'parallel, while the lead writes the request',
    mode: 'parallel',
    cast: { lead: SILENT },
    calls: 1,
    open: 1,
    partial: '',
    members: [],
  },
  {
    title: 'parallel, while the members work',
    mode: 'parallel',
    cast: { lead: broadcast('x'), m1: 'A', m2: WRITING, m3: SILENT },
    calls: 4,
    open: 2,
    partial: '',
    members: ['completed', 'cancelled', 'cancelled'],
  },
  {
    title: 'parallel, during the synthesis',
    mode: 'parallel',
    cast: { lead: [broadcast('x'), WRITING], m1: 'A', m2: 'B', m3: 'C' },
    calls: 5,
    open: 1,
    partial: 'I was about',
    members: ['completed', 'completed', 'completed'],
  },
  {
    title: 'dynamic-delegation, while the lead decides',
    mode: 'dynamic-delegation',
    cast: { lead: SILENT },
    calls: 1,
    open: 1,
    partial: '',
    members: [],
  },
  {
    title: 'dynamic-delegation, while members work',
    mode: 'dynamic-delegation',
    cast: { lead: delegate(['m1', 'x'], ['m2', 'y'], ['m3', 'z']), m1: 'A', m2: WRITING, m3: SILENT },
    calls: 4,
    open: 2,
    partial: '',
    members: ['completed', 'cancelled', 'cancelled'],
  },
  {
    title: 'dynamic-delegation, while the lead writes the answer',
    mode: 'dynamic-delegation',
    cast: { lead: [delegate(['m1', 'x']), WRITING], m1: 'A' },
    calls: 3,
    open: 1,
    partial: 'I was about',
    members: ['completed'],
  },
  {
    title: 'plan-execute, while the lead plans',
    mode: 'plan-execute',
    cast: { lead: SILENT },
    calls: 1,
    open: 1,
    partial: '',
    members: [],
  },
  {
    title: 'plan-execute, while members work on tasks',
    mode: 'plan-execute',
    cast: { lead: plan(t1, t2), m1: WRITING, m2: SILENT },
    calls: 3,
    open: 2,
    partial: '',
    members: ['cancelled', 'cancelled'],
  },
  {
    title: 'plan-execute, during the review',
    mode: 'plan-execute',
    cast: { lead: [plan(t1), SILENT], m1: 'A' },
    calls: 3,
    open: 1,
    partial: '',
    members: ['completed'],
  },
  {
    title: 'plan-execute, during the report',
    mode: 'plan-execute',
    cast: { lead: [plan(t1), review('complete', { evidence: ['t1'] }), WRITING], m1: 'A' },
    calls: 4,
    open: 1,
    partial: 'I was about',
    members: ['completed'],
  },
]

/** A mode's answer without a cancel. */
const NEXT: Record<CoordinationMode, Cast> = {
  handoff: { lead: route('m1', 'x'), m1: 'Here.' },
  parallel: { lead: [broadcast('x'), 'Here.'], m1: 'A', m2: 'B', m3: 'C' },
  'dynamic-delegation': { lead: [delegate(['m1', 'x']), 'Here.'], m1: 'A' },
  'plan-execute': { lead: [plan(t1), review('complete', { evidence: ['t1'] }), 'Here.'], m1: 'A' },
}

const underWay = () =>
  setting.calls().filter(({ receivedAt, abortedAt }) => receivedAt > 0 && abortedAt !== null)

/** Resolves when the phase is reached and every finite call was answered. */
async function reached({ calls, partial }: Phase, events: StreamEvent[] | null): Promise<void> {
  await expect.poll(() => setting.calls().length, { interval: 5 }).toBe(calls)
  if (events && partial !== '') {
    const written = () =>
      events.map((event) => (event.event === 'RunContent' && event.channel === 'answer' ? event.delta : ''))
    await expect.poll(() => written().join(''), { interval: 5 }).toBe(partial)
  }
  await new Promise((resolve) => setTimeout(resolve, 60))
}

/** The effect of `stop` closes the sockets of the open calls, without a poll. */
async function expectAborted<T>(open: number, stop: () => T | Promise<T>): Promise<T> {
  return withoutPolls([setting.server], async () => {
    const answer = await stop()
    await expect.poll(() => underWay().length, { interval: 5, timeout: 10_000 }).toBe(open)
    return answer
  })
}

/** After a cancel there must be no calls: no synthesis, no report, no other member. */
async function expectSilence(calls: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(setting.calls()).toHaveLength(calls)
}

describe('a cancel reaches a stream', () => {
  test.for(PHASES)('$title', async (phase) => {
    const { mode, cast, calls, open, partial, members } = phase
    const team = await setting.team(mode)
    const session_id = newSession()
    setting.play(cast)
    const stream = await setting.stream(team, { message: 'First.', session_id })
    await reached(phase, stream.events)
    const runId = stream.headers.get('x-run-id') ?? ''
    const answer = await expectAborted(open, () =>
      setting.call(`DELETE /api/v1/teams/${team.teamId}/runs/${runId}`),
    )
    expect(answer.body).toEqual({ cancelled: true, runId })
    await stream.ended
    expect(stream.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user', content: partial })
    await expectSilence(calls)

    const row = setting.rows.end(runId)
    expect([row?.status, row?.content ?? '']).toEqual(['cancelled', partial])
    const rows = setting.rows.members(runId)
    expect(rows.map(({ status }) => status)).toEqual(members)
    const ledger = setting.rows.ledger(runId)
    expect(ledger).toHaveLength(calls)
    expect(ledger.filter(({ errorCode }) => errorCode === 'aborted')).toHaveLength(open)
    expect(tokensOf(ledger)).toEqual({ inputTokens: row?.inputTokens, outputTokens: row?.outputTokens })
    for (const { messages } of [{ messages: row?.messages ?? [] }, ...rows]) {
      const called = messages.flatMap(({ toolCalls }) => toolCalls ?? []).map(({ id }) => id)
      expect(messages.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(called)
    }

    setting.play(NEXT[mode])
    const next = await setting.result(team, { message: 'Second.', session_id })
    expect(next.content).toContain('Here.')
    expect(setting.calls().map(promptDefect)).toEqual(setting.calls().map(() => null))
    const [first] = setting.calls('lead')
    const told = partial === '' ? '(stopped by the user)' : `${partial} (stopped by the user)`
    const earlier = conversation(first).slice(1, 3)
    expect(earlier[0]).toBe('user: First.')
    expect(earlier[1]).toMatch(/^assistant: /)
    expect(earlier[1]?.endsWith(told)).toBe(true)
  })
})

const MIDDLES = PHASES.filter(({ title }) => /member/.test(title))

describe('a cancel reaches a blocked caller', () => {
  test.for(MIDDLES)('$title', async (phase) => {
    const team = await setting.team(phase.mode)
    setting.play(phase.cast)
    const blocked = setting.run(team, { message: 'First.' })
    await reached(phase, null)
    const [runId] = setting.server.context.runs.active.runIds()
    await expectAborted(phase.open, () => setting.call(`DELETE /api/v1/teams/${team.teamId}/runs/${runId}`))
    expect(await blocked).toMatchObject({ status: 409, body: { error: 'run_cancelled' } })
    await expectSilence(phase.calls)
  })
})

describe('a cancel reaches a job', () => {
  test.for(MIDDLES)('$title', async (phase) => {
    const team = await setting.team(phase.mode)
    setting.play(phase.cast)
    const jobId = await setting.enqueue(team, { message: 'First.' })
    await reached(phase, null)
    const answer = await expectAborted(phase.open, () =>
      setting.call(`POST /api/v1/team-jobs/${jobId}/cancel`),
    )
    expect(answer.body).toEqual({ jobId, status: 'cancelled' })
    expect(await setting.jobEnd(jobId)).toMatchObject({ status: 'cancelled', result: null, error: null })
    await expectSilence(phase.calls)
    const replay = await setting.resume(team, jobId)
    await replay.ended
    expect(replay.events.at(-1)?.event).toBe('RunCancelled')
  })
})

test('members that wait for their turn never start after a cancel', async () => {
  const team = await setting.team('dynamic-delegation', { config: { limits: { max_concurrent_members: 1 } } })
  setting.play({ lead: delegate(['m1', 'x'], ['m2', 'y'], ['m3', 'z']), m1: WRITING, m2: 'B', m3: 'C' })
  const stream = await setting.stream(team, { message: 'First.' })
  await expect.poll(() => setting.calls('m1').length).toBe(1)
  const runId = stream.headers.get('x-run-id') ?? ''
  await setting.call(`DELETE /api/v1/teams/${team.teamId}/runs/${runId}`)
  await stream.ended
  const started = stream.events.flatMap((event) =>
    event.event === 'MemberRunStarted' ? [event.member.name] : [],
  )
  expect(started).toEqual(['Ada'])
  expect(setting.rows.members(runId).map(({ agentId }) => agentId)).toEqual([team.agentIds[0]])
})

test('a disconnecting reader cancels every member if requested', async () => {
  const team = await setting.team('parallel')
  setting.play({ lead: broadcast('x'), m1: WRITING, m2: SILENT, m3: WRITING })
  const stream = await setting.stream(team, { message: 'First.', on_disconnect: 'cancel' })
  await expect.poll(() => setting.calls().length).toBe(4)
  const runId = stream.headers.get('x-run-id') ?? ''
  await expectAborted(3, () => stream.close())
  const replay = await setting.resume(team, runId)
  await replay.ended
  expect(replay.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'disconnect' })
  await expectSilence(4)
})
