import type { CoordinationMode, RunPlan, TeamRunResult } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROKEN, broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import { lastMessage, purposeOf } from './model-requests.ts'
import { type Cast, startTeamSetting, type TeamOptions, type TeamSetting } from './team-setting.ts'
import { tokensOf } from './written-rows.ts'

let setting: TeamSetting
beforeAll(async () => {
  setting = await startTeamSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

/** A row of the table: the answers of each role, and the outcome. */
interface Scenario {
  title: string
  mode: CoordinationMode
  team?: TeamOptions
  cast: Cast
  /** The answer, or the error of a failing run. */
  expected:
    | { content: string; success?: boolean; plan?: Partial<RunPlan>; tasks?: string[] }
    | { message: string }
  /** Successful calls of models. */
  calls: number
}

const LIMIT_2 = { config: { limits: { max_iterations: 2 } } }
const t1 = { id: 't1', assignee: 'm1' }
const t2 = { id: 't2', assignee: 'm2', depends_on: ['t1'] }

const SCENARIOS: Scenario[] = [
  {
    title: '1: the member that the lead chooses answers',
    mode: 'handoff',
    cast: { lead: [route('m2', 'Do it.')], m1: 'A', m2: 'B', m3: 'C' },
    expected: { content: 'B' },
    calls: 2,
  },
  {
    title: '2: a lead that names nobody is asked once more',
    mode: 'handoff',
    cast: { lead: [route('m9', 'Do it.'), route('m1', 'Do it.')], m1: 'A', m2: 'B', m3: 'C' },
    expected: { content: 'A' },
    calls: 3,
  },
  {
    title: '3: the only other member takes over without a second decision',
    mode: 'handoff',
    team: { members: ['Ada', 'Ben'] },
    cast: { lead: [route('m1', 'Do it.')], m1: BROKEN, m2: 'B' },
    expected: { content: 'B' },
    calls: 2,
  },
  {
    title: '4: when both fail, the run fails in a sentence that names the last',
    mode: 'handoff',
    team: { members: ['Ada', 'Ben'] },
    cast: { lead: [route('m1', 'Do it.')], m1: BROKEN, m2: BROKEN },
    expected: { message: 'Member Ben failed: ' },
    calls: 1,
  },
  {
    title: '5: the synthesis sees what failed beside what did not',
    mode: 'parallel',
    team: { config: { toggles: { auto_member_input: false } } },
    cast: { lead: ['Together.'], m1: 'A', m2: BROKEN, m3: 'C' },
    expected: { content: 'Together.' },
    calls: 3,
  },
  {
    title: '6: nothing is synthesised when everybody fails',
    mode: 'parallel',
    cast: { lead: [broadcast('All of you.')], m1: BROKEN, m2: BROKEN, m3: BROKEN },
    expected: { message: 'Too few members answered (0 of at least 1). Failed: Ada, Ben, Cleo. ' },
    calls: 1,
  },
  {
    title: '7: the lead delegates twice and writes the answer',
    mode: 'dynamic-delegation',
    cast: {
      lead: [delegate(['m1', 'First.']), delegate(['m2', 'Second.']), 'Both are done.'],
      m1: 'A',
      m2: 'B',
    },
    expected: { content: 'Both are done.' },
    calls: 5,
  },
  {
    title: '8: a lead that repeats itself is stopped and answers with what there is',
    mode: 'dynamic-delegation',
    team: { config: { limits: { lead_max_steps: 4 } } },
    cast: {
      lead: ({ body }) => (body.tool_choice === 'none' ? 'best effort' : delegate(['m1', 'Again.'])),
      m1: 'A',
    },
    expected: { content: 'best effort' },
    calls: 5,
  },
  {
    title: '9: two tasks, one after the other',
    mode: 'plan-execute',
    cast: {
      lead: [plan(t1, t2), review('continue'), review('complete', { evidence: ['t1', 't2'] }), 'All done.'],
      m1: 'A',
      m2: 'B',
    },
    expected: {
      content: 'All done.\n\nGoal completed: yes',
      plan: { goalCompleted: true, stopReason: 'goal_completed', iterations: 2, maxIterations: 10 },
      tasks: ['t1 completed 1', 't2 completed 1'],
    },
    calls: 6,
  },
  {
    title: '10: a goal is not completed while a task is left',
    mode: 'plan-execute',
    cast: {
      lead: [
        plan(t1, t2),
        review('complete', { evidence: ['t1'] }),
        review('complete', { evidence: ['t2'] }),
        'Now.',
      ],
      m1: 'A',
      m2: 'B',
    },
    expected: {
      content: 'Now.\n\nGoal completed: yes',
      plan: { goalCompleted: true, stopReason: 'goal_completed', iterations: 2 },
      tasks: ['t1 completed 1', 't2 completed 1'],
    },
    calls: 6,
  },
  {
    title: '11: the iteration limit is no success, whatever is done',
    mode: 'plan-execute',
    team: LIMIT_2,
    cast: {
      lead: [plan(t1, t2), review('continue'), review('continue'), 'So far.'],
      m1: 'A',
      m2: 'B',
    },
    expected: {
      content: 'So far.\n\nGoal completed: no (iteration limit reached; 2 of 2 tasks done)',
      success: false,
      plan: { goalCompleted: false, stopReason: 'iteration_limit', iterations: 2, maxIterations: 2 },
      tasks: ['t1 completed 1', 't2 completed 1'],
    },
    calls: 6,
  },
  {
    title: '12: a task that is retried frees the one that waits for it',
    mode: 'plan-execute',
    cast: {
      lead: [
        plan(t1, t2),
        review('continue', { retry: [{ id: 't1' }] }),
        review('continue'),
        review('complete', { evidence: ['t1', 't2'] }),
        'Done at last.',
      ],
      m1: [BROKEN, 'A'],
      m2: 'B',
    },
    expected: {
      content: 'Done at last.\n\nGoal completed: yes',
      plan: { goalCompleted: true, iterations: 3 },
      tasks: ['t1 completed 2', 't2 completed 1'],
    },
    calls: 7,
  },
  {
    title: '13: a lead that only goes on stalls',
    mode: 'plan-execute',
    cast: {
      lead: [plan(t1, t2), ...Array.from({ length: 4 }, () => review('continue')), 'Nothing worked.'],
      m1: BROKEN,
    },
    expected: {
      content: 'Nothing worked.\n\nGoal completed: no (no further progress; 0 of 2 tasks done)',
      success: false,
      plan: { goalCompleted: false, stopReason: 'stalled', iterations: 4 },
      tasks: ['t1 failed 1', 't2 blocked 0'],
    },
    calls: 6,
  },
  {
    title: '14: a success that the lead invents is not one',
    mode: 'plan-execute',
    team: LIMIT_2,
    cast: {
      lead: [
        plan(t1, t2),
        review('complete', { evidence: ['t1'] }),
        review('complete', { evidence: ['t1'] }),
        'All done!',
      ],
      m1: BROKEN,
    },
    expected: {
      content: 'All done!\n\nGoal completed: no (iteration limit reached; 0 of 2 tasks done)',
      success: false,
      plan: { goalCompleted: false, stopReason: 'iteration_limit', iterations: 2 },
      tasks: ['t1 failed 1', 't2 blocked 0'],
    },
    calls: 4,
  },
]

test.for(SCENARIOS)('$title', async ({ mode, team: options, cast, expected, calls }) => {
  const team = await setting.team(mode, options)
  setting.play(cast)
  const tokens = { inputTokens: calls * 10, outputTokens: calls * 5 }
  const { status, body } = await setting.run(team, { message: 'Please help.' })
  if ('message' in expected) {
    const { message } = expected
    expect(status).toBe(502)
    expect(body).toEqual({ error: 'upstream_error', message: expect.any(String) })
    expect((body as { message: string }).message.startsWith(message)).toBe(true)
    expect(JSON.stringify(body)).not.toMatch(/exploded|127\.0\.0\.1|\b500\b/)
  } else {
    const result = body as TeamRunResult
    expect([status, result.content]).toEqual([200, expected.content])
    expect(result.success).toBe(expected.success ?? true)
    expect(result.metrics).toEqual({
      ...tokens,
      latencyMs: expect.any(Number),
      model: null,
      failoverUsed: false,
    })
    if (expected.plan) expect(result.plan).toMatchObject(expected.plan)
    else expect(result).not.toHaveProperty('plan')
    if (expected.tasks) {
      expect(result.plan?.tasks.map((task) => `${task.id} ${task.status} ${task.attempts}`)).toEqual(
        expected.tasks,
      )
    }
  }
  const [runId] = setting.rows.runIds()
  const ledger = setting.rows.ledger(runId)
  expect(ledger.filter(({ ok }) => ok)).toHaveLength(calls)
  expect(ledger).toHaveLength(setting.calls().length)
  expect(tokensOf(ledger)).toEqual(tokens)
  expect(setting.rows.end(runId)).toMatchObject(tokens)
})

test('5: the synthesis sees ok, error, ok in builder order', async () => {
  const team = await setting.team('parallel', { config: { toggles: { auto_member_input: false } } })
  setting.play({ lead: ['Together.'], m1: { text: 'A', headersDelayMs: 60 }, m2: BROKEN, m3: 'C' })
  await setting.result(team, { message: 'Please help.' })
  const [synthesis] = setting.calls('lead')
  expect(synthesis && purposeOf(synthesis)).toBe('synthesis')
  const results = [
    ...lastMessage(synthesis).matchAll(/<member_result member="(.+?)" status="(.+?)">\n(.*)\n/g),
  ]
  expect(results.map(([, member, status]) => `${member} ${status}`)).toEqual([
    'm1 (Ada) ok',
    'm2 (Ben) error',
    'm3 (Cleo) ok',
  ])
  expect(results.map(([, , , text]) => text)).toEqual(['A', expect.not.stringContaining('exploded'), 'C'])
})

test('10: the next review has the reason why "complete" was refused', async () => {
  const team = await setting.team('plan-execute')
  const scenario = SCENARIOS.find(({ title }) => title.startsWith('10:'))
  setting.play(scenario?.cast ?? {})
  await setting.result(team, { message: 'Please help.' })
  const reviews = setting.calls('lead').filter((call) => purposeOf(call) === 'review')
  expect(lastMessage(reviews[0])).not.toContain('<notes>')
  expect(lastMessage(reviews[1])).toContain('"complete" was refused: task t2 is pending')
})

// Compares the starts of two calls: a busy machine may delay one.
test('7: members of a step run concurrently', { retry: 2 }, async () => {
  const team = await setting.team('dynamic-delegation')
  setting.play({
    lead: [delegate(['m1', 'First.'], ['m2', 'Second.']), 'Both.'],
    m1: { text: 'A', headersDelayMs: 500 },
    m2: { text: 'B', headersDelayMs: 500 },
  })
  await setting.result(team, { message: 'Please help.' })
  const [first, second] = ['m1', 'm2'].map((role) => setting.calls(role as 'm1')[0]?.receivedAt ?? 0)
  expect(Math.abs((first ?? 0) - (second ?? 0))).toBeLessThan(480)
})
