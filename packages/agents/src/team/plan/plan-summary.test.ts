import { newId, PLAN_STOP_REASONS, RunId, RunPlan, validator } from '@troupe/contract'
import { expect, test } from 'vitest'
import { goalLine, publicTask, reportWithoutLead, runPlan, taskTable } from './plan-summary.ts'
import { planOf, task } from './testing/plan-fixture.ts'

const AGENT = '7f7f7f7f-0000-4000-8000-000000000001'
const RUN = newId(RunId)
const state = planOf(
  task('t1', { status: 'completed', attempts: 1, memberRunId: RUN, title: 'This | that' }),
  task('t2', { status: 'failed', attempts: 3, assignee: 'lead', dependsOn: ['t1'] }),
  task('t3', { status: 'cancelled' }),
  task('t4', { status: 'blocked', dependsOn: ['t1', 't2'] }),
)
const agentIdOf = (key: string) => (key === 'lead' ? null : AGENT)

test('the public plan has the fields of the contract and no others', () => {
  const plan = runPlan(state, { stopReason: 'stalled', iterations: 4, maxIterations: 10 }, agentIdOf)
  expect(validator(RunPlan)(plan)).toMatchObject({ ok: true })
  expect(plan).toEqual({
    goalCompleted: false,
    stopReason: 'stalled',
    iterations: 4,
    maxIterations: 10,
    tasks: [
      {
        id: 't1',
        title: 'This | that',
        status: 'completed',
        assigneeAgentId: AGENT,
        attempts: 1,
        memberRunId: RUN,
      },
      {
        id: 't2',
        title: 'Title t2',
        status: 'failed',
        assigneeAgentId: null,
        attempts: 3,
        memberRunId: null,
      },
      {
        id: 't3',
        title: 'Title t3',
        status: 'cancelled',
        assigneeAgentId: AGENT,
        attempts: 0,
        memberRunId: null,
      },
      {
        id: 't4',
        title: 'Title t4',
        status: 'blocked',
        assigneeAgentId: AGENT,
        attempts: 0,
        memberRunId: null,
      },
    ],
  })
})

test.for([
  ['goal_completed', 'Goal completed: yes'],
  ['iteration_limit', 'Goal completed: no (iteration limit reached; 1 of 3 tasks done)'],
  ['stalled', 'Goal completed: no (no further progress; 1 of 3 tasks done)'],
  ['impossible', 'Goal completed: no (judged impossible; 1 of 3 tasks done)'],
  ['budget', 'Goal completed: no (budget reached; 1 of 3 tasks done)'],
  ['lead_error', 'Goal completed: no (the lead failed; 1 of 3 tasks done)'],
] as const)('the last line of a plan that stopped with %s', ([stopReason, line]) => {
  expect(goalLine(state, stopReason)).toBe(line)
  const plan = runPlan(state, { stopReason, iterations: 1, maxIterations: 1 }, agentIdOf)
  expect(plan.goalCompleted).toBe(stopReason === 'goal_completed')
})

test('every reason to stop has a last line', () => {
  for (const reason of PLAN_STOP_REASONS) expect(goalLine(state, reason)).toMatch(/^Goal completed: (yes|no)/)
})

test('a task in public names its agent, null for a managed lead, and neither its text nor its result', () => {
  const secret = task('t1', { description: 'secret', result: 'secret', error: 'secret', assignee: 'lead' })
  const told = { id: 't1', title: 'Title t1', status: 'pending', attempts: 0, memberRunId: null }
  expect(publicTask(secret, agentIdOf)).toEqual({ ...told, assigneeAgentId: null })
})

test('the table for prompts', () => {
  expect(taskTable(state)).toBe(
    [
      '| id | title | status | assignee | attempts | depends_on |',
      '| --- | --- | --- | --- | --- | --- |',
      '| t1 | This \\| that | completed | m1 | 1 |  |',
      '| t2 | Title t2 | failed | lead | 3 | t1 |',
      '| t3 | Title t3 | cancelled | m1 | 0 |  |',
      '| t4 | Title t4 | blocked | m1 | 0 | t1, t2 |',
    ].join('\n'),
  )
})

test('the report of a lead that failed', () => {
  expect(reportWithoutLead(state)).toBe(
    [
      'The lead could not write a report. The tasks and their results:',
      '',
      '| Task | Status | Attempts |',
      '| --- | --- | --- |',
      '| This \\| that | completed | 1 |',
      '| Title t2 | failed | 3 |',
      '| Title t3 | cancelled | 0 |',
      '| Title t4 | blocked | 0 |',
    ].join('\n'),
  )
})
