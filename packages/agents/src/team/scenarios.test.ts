import { DomainError } from '@troupe/contract'
import { expect, test } from 'vitest'
import { answerOf, CREW, RunKit, type TestTeam } from '../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply } from '../testing/scripted-model.ts'
import { delegate, plan, review, route } from './testing/lead-replies.ts'

interface Scenario {
  team: Partial<TestTeam> & Pick<TestTeam, 'mode'>
  script: Record<string, Reply[]>
  /** The whole answer, or the code and message of the error. */
  answer: string
  success?: boolean
  /** Successful model calls. */
  calls: number
  /** The outcome of the plan: stop reason, iterations, then status and attempts of each task. */
  plan?: string
}

const DOWN = (name: string) => chainFailed(`${name} is down.`)
const SAME = delegate('m1: the same')
const CAP = { limits: { max_iterations: 2 } }

const SCENARIOS: Record<string, Scenario> = {
  'handoff: the chosen member answers': {
    team: { mode: 'handoff' },
    script: { [CREW]: [route('m2')], Ben: ['B'] },
    answer: 'B',
    calls: 2,
  },
  'handoff: a member that does not exist is repaired once': {
    team: { mode: 'handoff', members: ['Ada', 'Ben', 'Cy'] },
    script: { [CREW]: [route('m9'), route('m1')], Ada: ['A'] },
    answer: 'A',
    calls: 3,
  },
  'handoff of two: the other one answers without a second decision': {
    team: { mode: 'handoff' },
    script: { [CREW]: [route('m1')], Ada: [DOWN('Ada')], Ben: ['B'] },
    answer: 'B',
    calls: 2,
  },
  'handoff: two failures are the end': {
    team: { mode: 'handoff' },
    script: { [CREW]: [route('m1')], Ada: [DOWN('Ada')], Ben: [DOWN('Ben')] },
    answer: 'upstream_error: Member Ben failed: Ben is down.',
    calls: 1,
  },
  'parallel, verbatim: one failure of three is synthesised': {
    team: { mode: 'parallel', members: ['Ada', 'Ben', 'Cy'], toggles: { auto_member_input: false } },
    script: { Ada: ['A'], Ben: [DOWN('Ben')], Cy: ['C'], [CREW]: ['SYNTHESIS'] },
    answer: 'SYNTHESIS',
    calls: 3,
  },
  'parallel: without an answer there is no synthesis': {
    team: { mode: 'parallel' },
    script: {
      [CREW]: [{ call: 'broadcast', input: { task: 'T' } }],
      Ada: [DOWN('Ada')],
      Ben: [DOWN('Ben')],
    },
    answer: 'upstream_error: Too few members answered (0 of at least 1). Failed: Ada, Ben. Ada is down.',
    calls: 1,
  },
  'dynamic: one after the other, then the answer': {
    team: { mode: 'dynamic-delegation' },
    script: {
      [CREW]: [[{ text: 'First m1.' }, ...delegate('m1')], delegate('m2'), 'LAST'],
      Ada: ['A'],
      Ben: ['B'],
    },
    answer: 'LAST',
    calls: 5,
  },
  'dynamic of four steps: the same task for ever is done once': {
    team: { mode: 'dynamic-delegation', limits: { lead_max_steps: 4 } },
    script: { [CREW]: [SAME, SAME, SAME, [{ text: 'best effort' }, ...SAME]], Ada: ['A'] },
    answer: 'best effort',
    calls: 5,
  },
  'plan: the second task waits for the first': {
    team: { mode: 'plan-execute' },
    script: {
      [CREW]: [
        plan('t1 m1', 't2 m2 after t1'),
        review('continue'),
        review('complete', { evidence: ['t2'] }),
        'REPORT',
      ],
      Ada: ['A'],
      Ben: ['B'],
    },
    answer: 'REPORT\n\nGoal completed: yes',
    calls: 6,
    plan: 'goal_completed 2: completed 1, completed 1',
  },
  'plan: "complete" is refused while a task is pending': {
    team: { mode: 'plan-execute' },
    script: {
      [CREW]: [
        plan('t1 m1', 't2 m2 after t1'),
        review('complete', { evidence: ['t1'] }),
        review('complete', { evidence: ['t1'] }),
        'REPORT',
      ],
      Ada: ['A'],
      Ben: ['B'],
    },
    answer: 'REPORT\n\nGoal completed: yes',
    calls: 6,
    plan: 'goal_completed 2: completed 1, completed 1',
  },
  'plan of two iterations: without "complete" the goal is not reached': {
    team: { mode: 'plan-execute', ...CAP },
    script: {
      [CREW]: [plan('t1 m1', 't2 m2 after t1'), review('continue'), review('continue'), 'REPORT'],
      Ada: ['A'],
      Ben: ['B'],
    },
    answer: 'REPORT\n\nGoal completed: no (iteration limit reached; 2 of 2 tasks done)',
    success: false,
    calls: 6,
    plan: 'iteration_limit 2: completed 1, completed 1',
  },
  'plan: a retry frees the task that was blocked': {
    team: { mode: 'plan-execute' },
    script: {
      [CREW]: [
        plan('t1 m1', 't2 m2 after t1'),
        review('continue', { retry: ['t1'] }),
        review('continue'),
        review('complete', { evidence: ['t1', 't2'] }),
        'REPORT',
      ],
      Ada: [DOWN('Ada'), 'A'],
      Ben: ['B'],
    },
    answer: 'REPORT\n\nGoal completed: yes',
    calls: 7,
    plan: 'goal_completed 3: completed 2, completed 1',
  },
  'plan: a lead that only goes on is stopped': {
    team: { mode: 'plan-execute' },
    script: {
      [CREW]: [
        plan('t1 m1', 't2 m2 after t1'),
        ...Array.from({ length: 4 }, () => review('continue')),
        'REPORT',
      ],
      Ada: [DOWN('Ada')],
    },
    answer: 'REPORT\n\nGoal completed: no (no further progress; 0 of 2 tasks done)',
    success: false,
    calls: 6,
    plan: 'stalled 4: failed 1, blocked 0',
  },
  'plan of two iterations: a claimed success is no success': {
    team: { mode: 'plan-execute', ...CAP },
    script: {
      [CREW]: [
        plan('t1 m1', 't2 m2 after t1'),
        review('complete', { evidence: ['t1'] }),
        review('complete', { evidence: ['t1'] }),
        'All done!',
      ],
      Ada: [DOWN('Ada')],
    },
    answer: 'All done!\n\nGoal completed: no (iteration limit reached; 0 of 2 tasks done)',
    success: false,
    calls: 4,
    plan: 'iteration_limit 2: failed 1, blocked 0',
  },
}

test.each(Object.entries(SCENARIOS))('%s', async (_, {
  team,
  script,
  answer,
  success = true,
  calls,
  plan,
}) => {
  await using kit = new RunKit({
    agents: ['Ada', 'Ben', 'Cy'].map((name) => ({ name })),
    team: { members: ['Ada', 'Ben'], ...team },
    respond: inTurn(script),
  })
  const result = await kit.run()
  const [run] = [...kit.store.runs.values()]
  expect([run?.end?.inputTokens, run?.end?.outputTokens]).toEqual([10 * calls, 5 * calls])
  expect(run?.usage.filter(({ ok }) => ok)).toHaveLength(calls)
  const scripted = Object.values(script).reduce((sum, replies) => sum + replies.length, 0)
  expect(kit.models.calls).toHaveLength(scripted)
  if (result instanceof DomainError) {
    expect(`${result.code}: ${result.message}`).toBe(answer)
    return
  }
  expect(result).toMatchObject({ content: answer, success, teamName: CREW })
  expect(result.metrics).toMatchObject({ inputTokens: 10 * calls, outputTokens: 5 * calls, model: null })
  const tasks = result.plan?.tasks.map(({ status, attempts }) => `${status} ${attempts}`).join(', ')
  const told = result.plan && `${result.plan.stopReason} ${result.plan.iterations}: ${tasks}`
  expect(told).toBe(plan)
  expect(result.plan?.goalCompleted ?? success).toBe(success)
})

test.each(Object.entries(SCENARIOS))('in a stream the deltas are the answer: %s', async (_, {
  team,
  script,
  answer,
}) => {
  await using kit = new RunKit({
    agents: ['Ada', 'Ben', 'Cy'].map((name) => ({ name })),
    team: { members: ['Ada', 'Ben'], ...team },
    respond: inTurn(script),
  })
  const events = await kit.stream()
  const last = events.at(-1)
  if (last?.event === 'RunError') {
    expect(`${last.error}: ${last.message}`).toBe(answer)
    return
  }
  expect(last).toMatchObject({ event: 'RunCompleted', result: { content: answer } })
  expect(answerOf(events)).toBe(answer)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1))
})
