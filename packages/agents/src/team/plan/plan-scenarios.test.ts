import { expect, test } from 'vitest'
import type { PlanReview } from './plan-review.ts'
import { goalLine } from './plan-summary.ts'
import { drivePlan } from './testing/drive-plan.ts'
import { ASSIGNEES, planOf, review, statuses, task } from './testing/plan-fixture.ts'

const PLAN = planOf(task('t1'), task('t2', { dependsOn: ['t1'] }))
const met = [{ id: 'c1', met: true, evidence: ['t1', 't2'] }]
const complete = review({ verdict: 'complete', criteria: met })
const goOn = review()
const retryT1 = review({ retry: [{ id: 't1', assignee: null, description: null }] })
const always = () => false
const firstOfT1 = (id: string, attempts: number) => id === 't1' && attempts === 1
const everyT1 = (id: string) => id === 't1'

interface Scenario {
  cap?: number
  reviews: PlanReview[]
  fails?: (taskId: string, attempts: number) => boolean
}

/** The last review is repeated. */
function play({ cap = 10, reviews, fails = always }: Scenario) {
  const driven = drivePlan(PLAN, {
    maxIterations: cap,
    assignees: ASSIGNEES,
    run: ({ id, attempts }) =>
      fails(id, attempts)
        ? { ok: false, error: 'no', memberRunId: null }
        : { ok: true, result: `Result of ${id}`, memberRunId: null },
    review: (_, iteration) => reviews[Math.min(iteration, reviews.length) - 1] ?? goOn,
  })
  return { ...driven, line: goalLine(driven.state, driven.stopReason) }
}

test('t1, then t2: yes after 2 iterations', () => {
  const { line, iterations, runs } = play({ reviews: [goOn, complete] })
  expect([line, iterations, runs]).toEqual(['Goal completed: yes', 2, 2])
})

test('"complete" while t2 is pending is refused, yes after 2', () => {
  const { line, iterations, notes } = play({ reviews: [complete] })
  expect([line, iterations]).toEqual(['Goal completed: yes', 2])
  expect(notes[0]).toEqual(['"complete" was refused: task t2 is pending'])
})

test('a cap of 2 without "complete" is not completion', () => {
  expect(play({ cap: 2, reviews: [goOn] }).line).toBe(
    'Goal completed: no (iteration limit reached; 2 of 2 tasks done)',
  )
})

test('a cap of 1 is one iteration', () => {
  const { line, iterations, runs } = play({ cap: 1, reviews: [complete] })
  expect([line, iterations, runs]).toEqual([
    'Goal completed: no (iteration limit reached; 1 of 2 tasks done)',
    1,
    1,
  ])
})

test('a cap of 0 means no iterations, not no cap', () => {
  const { line, iterations, runs } = play({ cap: 0, reviews: [complete] })
  expect([line, iterations, runs]).toEqual([
    'Goal completed: no (iteration limit reached; 0 of 2 tasks done)',
    0,
    0,
  ])
})

test('t1 fails and is retried: t2 is unblocked, yes after 3 iterations', () => {
  const { line, iterations, state, runs } = play({ reviews: [retryT1, goOn, complete], fails: firstOfT1 })
  expect([line, iterations, runs]).toEqual(['Goal completed: yes', 3, 3])
  expect(state.tasks.map(({ attempts }) => attempts)).toEqual([2, 1])
})

test('t1 fails and the lead only continues: stalled after 4, t2 blocked', () => {
  const { line, iterations, state } = play({ reviews: [goOn], fails: everyT1 })
  expect([line, iterations]).toEqual(['Goal completed: no (no further progress; 0 of 2 tasks done)', 4])
  expect(statuses(state)).toEqual({ t1: 'failed', t2: 'blocked' })
})

test('t1 fails and the lead claims completion: no', () => {
  const { line, notes } = play({ cap: 2, reviews: [complete], fails: everyT1 })
  expect(line).toBe('Goal completed: no (iteration limit reached; 0 of 2 tasks done)')
  expect(notes[0]).toEqual([
    '"complete" was refused: criterion c1 has no completed task as evidence',
    '"complete" was refused: task t1 is failed',
    '"complete" was refused: task t2 is blocked',
  ])
})

test('a lead that retries endlessly is stopped by the 3 attempts, then by the stall', () => {
  const { iterations, runs, stopReason, notes } = play({ reviews: [retryT1], fails: everyT1 })
  expect([runs, iterations, stopReason]).toEqual([3, 6, 'stalled'])
  expect(notes.at(-1)).toEqual(['retry of t1 refused: 3 attempts used'])
})

test('"impossible" ends the plan at once', () => {
  expect(play({ reviews: [review({ verdict: 'impossible' })] }).line).toBe(
    'Goal completed: no (judged impossible; 1 of 2 tasks done)',
  )
})
