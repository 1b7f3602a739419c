import { COORDINATION_MODES, type StreamEvent, type TeamRunResult } from '@troupe/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROKEN, broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import { Chance, randomReply } from './random-replies.ts'
import { all, isShownIn, streamDefects, textOf } from './stream-rules.ts'
import { startTeamSetting, type TeamOptions, type TeamSetting } from './team-setting.ts'
import { tokensOf } from './written-rows.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

/** The same cases every time, so that a failure comes from the code; more cases or another seed find more. */
const CASES = { numRuns: 8, seed: 4711, endOnFailure: true }

/** A team in which some models have a fallback, some with mid-stream restarts. */
async function randomTeam(mode: (typeof COORDINATION_MODES)[number], seed: number) {
  const chance = new Chance(`team ${seed}`)
  const spare = await setting.runs.connect(setting.model.url)
  const fallbacks = [{ llm_config_id: spare, model_id: 'spare' }]
  const model = () =>
    chance.happens(0.5) ? { fallbacks, mid_stream: chance.happens(0.6) ? 'restart' : 'fail' } : {}
  const options: TeamOptions = {
    apart: true,
    members: ['Ada', 'Ben'],
    model: { lead: model(), m1: model(), m2: model() },
    config: { limits: { max_iterations: 3, lead_max_steps: 4 } },
  }
  return setting.team(mode, options)
}

/** The reproducible parts of a repeated run. */
const repeatable = ({ content, success, metrics, plan: told }: TeamRunResult) => ({
  content,
  success,
  metrics: { ...metrics, latencyMs: 0 },
  plan: told && {
    ...told,
    tasks: told.tasks.map((task) => ({ ...task, assigneeAgentId: '', memberRunId: '' })),
  },
})

async function read(opening: ReturnType<TeamSetting['stream']>): Promise<StreamEvent[]> {
  const stream = await opening
  await stream.ended
  return stream.events
}

describe('whatever a team does', () => {
  test.for(
    COORDINATION_MODES,
  )('the stream of %s obeys its rules, is resumable anywhere, and ends like a synchronous run and a job', {
    timeout: 120_000,
  }, async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (seed, cut) => {
        const message = `Message ${seed}.`
        const team = await randomTeam(mode, seed)
        setting.model.reset()
        setting.model.respond((call) => randomReply(seed, call))
        const stream = await setting.stream(team, { message }, '?detail=full')
        await stream.ended
        const { events } = stream
        expect(streamDefects(events, mode)).toEqual([])
        expect(stream.text()).not.toMatch(/exploded|host7/)

        const runId = stream.headers.get('x-run-id') ?? ''
        const row = setting.rows.end(runId)
        const ledger = setting.rows.ledger(runId)
        expect(row?.content ?? '').toBe(textOf(events))
        expect(tokensOf(ledger)).toEqual({ inputTokens: row?.inputTokens, outputTokens: row?.outputTokens })
        expect(ledger).toHaveLength(setting.calls().length)

        for (const after of [cut % events.length, (cut * 7) % events.length]) {
          const rest = events.filter(({ seq }) => seq > after)
          expect(await read(setting.resume(team, runId, `?detail=full&last_event_id=${after}`))).toEqual(rest)
          const detail = cut % 2 === 0 ? 'answer' : 'standard'
          const header = { 'last-event-id': String(after) }
          expect(await read(setting.resume(team, runId, `?detail=${detail}`, header))).toEqual(
            rest.filter((event) => isShownIn(detail, event)),
          )
        }

        const again = await randomTeam(mode, seed)
        const sync = await setting.run(again, { message })
        const last = events.at(-1)
        if (last?.event === 'RunCompleted') {
          expect(sync.status).toBe(200)
          expect(Object.keys(sync.body as object).sort()).toEqual(Object.keys(last.result).sort())
          expect(repeatable(sync.body as TeamRunResult)).toEqual(repeatable(last.result as TeamRunResult))
        } else if (last?.event === 'RunError') {
          expect([sync.status, sync.body]).toEqual([502, { error: last.error, message: last.message }])
        } else throw new Error(JSON.stringify(last))

        const third = await randomTeam(mode, seed)
        const jobId = await setting.enqueue(third, { message })
        const ofJob = await read(setting.resume(third, jobId, '?detail=full'))
        expect(streamDefects(ofJob, mode)).toEqual([])
        const job = await setting.jobEnd(jobId)
        if (last.event === 'RunCompleted') {
          expect(repeatable(job.result as TeamRunResult)).toEqual(repeatable(last.result as TeamRunResult))
        } else expect([job.status, job.error]).toEqual(['failed', last.message])
      }),
      CASES,
    )
  })
})

test('the names of the events of each mode come in the documented order', async () => {
  const names = async (
    mode: (typeof COORDINATION_MODES)[number],
    cast: Parameters<TeamSetting['play']>[0],
  ) => {
    const team = await setting.team(mode, { members: ['Ada', 'Ben'] })
    setting.play(cast)
    const events = await read(setting.stream(team, { message: 'x' }))
    return events.map((event) =>
      event.event === 'TaskUpdated' ? `${event.event} ${event.task.id} ${event.task.status}` : event.event,
    )
  }
  expect(await names('handoff', { lead: route('m2', 'x'), m2: 'B' })).toEqual([
    'RunStarted',
    'MemberRunStarted',
    'RunContent',
    'MemberRunCompleted',
    'RunCompleted',
  ])
  expect(
    await names('dynamic-delegation', {
      lead: [{ ...delegate(['m1', 'x']), text: 'Hm.' }, 'Done.'],
      m1: BROKEN,
    }),
  ).toEqual([
    'RunStarted',
    'RunContent',
    'RunContentReset',
    'ToolCallStarted',
    'MemberRunStarted',
    'MemberRunError',
    'ToolCallCompleted',
    'RunContent',
    'RunCompleted',
  ])
  const slow = { text: 'B', headersDelayMs: 60 }
  expect(await names('parallel', { lead: [broadcast('x'), 'Done.'], m1: 'A', m2: slow })).toEqual([
    'RunStarted',
    'MemberRunStarted',
    'MemberRunStarted',
    'RunContent',
    'MemberRunCompleted',
    'RunContent',
    'MemberRunCompleted',
    'RunContent',
    'RunCompleted',
  ])
  const lead = [plan({ id: 't1', assignee: 'm1' }), review('complete', { evidence: ['t1'] }), 'Done.']
  expect(await names('plan-execute', { lead, m1: 'A' })).toEqual([
    'RunStarted',
    'PlanCreated',
    'TaskIterationStarted',
    'TaskUpdated t1 running',
    'MemberRunStarted',
    'RunContent',
    'MemberRunCompleted',
    'TaskUpdated t1 completed',
    'TaskIterationCompleted',
    'RunContent',
    'RunContent',
    'RunCompleted',
  ])
})

test('a member whose answer is withdrawn by a reroute leaves nothing in the answer', async () => {
  const team = await setting.team('handoff')
  setting.play({
    lead: [route('m1', 'x'), route('m3', 'y')],
    m1: { text: 'torn answer', chunks: 4, breakAfter: 2 },
    m3: { text: 'whole answer', chunks: 3 },
  })
  const events = await read(setting.stream(team, { message: 'x' }, '?detail=answer'))
  expect(all(events, 'RunContentReset').map(({ reason, source }) => `${reason} ${source.agentName}`)).toEqual(
    ['reroute Ada'],
  )
  const last = events.at(-1)
  if (last?.event !== 'RunCompleted') throw new Error(JSON.stringify(last))
  expect([last.result.content, textOf(events)]).toEqual(['whole answer', 'whole answer'])
})

test('a result embedded by the lead is streamed as the exact words of the member', async () => {
  const exact = '| a | b |\n|---|---|\n| 1 | 2 |\n\n`x  y`'
  const team = await setting.team('dynamic-delegation')
  for (const chunks of [1, 3, 40]) {
    setting.play({
      lead: [
        delegate(['m1', 'x']),
        { text: 'See:\n[[result:call_0_0]]\n[[result:call_7_0]]\nDone.', chunks },
      ],
      m1: exact,
    })
    const events = await read(setting.stream(team, { message: 'x' }))
    const last = events.at(-1)
    if (last?.event !== 'RunCompleted') throw new Error(JSON.stringify(last))
    expect(last.result.content).toBe(`See:\n${exact}\n[[result:call_7_0]]\nDone.`)
    expect(textOf(events)).toBe(last.result.content)
  }
})

test('a stream cut while members work is resumed at the cut', async () => {
  const team = await setting.team('parallel')
  const slow = { text: 'word '.repeat(30), chunks: 30, paceMs: 4 }
  setting.play({
    lead: [broadcast('x'), { ...slow, text: 'answer '.repeat(30) }],
    m1: slow,
    m2: slow,
    m3: slow,
  })
  const live = await setting.stream(team, { message: 'x' })
  await expect.poll(() => live.events.length).toBeGreaterThan(20)
  live.close()
  const seen = [...live.events]
  const runId = live.headers.get('x-run-id') ?? ''
  const rest = await read(setting.resume(team, runId, '', { 'last-event-id': String(seen.at(-1)?.seq ?? 0) }))
  const whole = await read(setting.resume(team, runId))
  expect([...seen, ...rest]).toEqual(whole)
  expect(streamDefects(await read(setting.resume(team, runId, '?detail=full')), 'parallel')).toEqual([])
})

test('the stream of a job follows the same rules', async () => {
  const team = await setting.team('plan-execute')
  setting.play({
    lead: [
      plan({ id: 't1', assignee: 'm1' }),
      review('continue', { retry: [{ id: 't1' }] }),
      review('complete', { evidence: ['t1'] }),
      'Done.',
    ],
    m1: [BROKEN, { text: 'one two', chunks: 2 }],
  })
  const jobId = await setting.enqueue(team, { message: 'x' })
  const events = await read(setting.resume(team, jobId, '?detail=full'))
  expect(streamDefects(events, 'plan-execute')).toEqual([])
  expect(events.at(-1)).toMatchObject({
    event: 'RunCompleted',
    result: { content: 'Done.\n\nGoal completed: yes' },
  })
})
