import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PLAN_LIMITS } from './limits.ts'
import { CONTINUE_REVIEW, type PlanReview } from './plan-review.ts'
import { type PlanState, startPlan } from './plan-state.ts'
import { readReview, readSubmittedPlan } from './read-plan.ts'
import { drivePlan } from './testing/drive-plan.ts'
import {
  arbitraryPlan,
  arbitraryReview,
  CRITERIA,
  diligentReview,
  greedyReview,
} from './testing/plan-arbitraries.ts'
import { ASSIGNEES } from './testing/plan-fixture.ts'
import { checkEnd, checkGoal, checkStep } from './testing/plan-invariants.ts'

const LEADS = ['random', 'diligent', 'diligent from the fourth on', 'greedy', 'idle'] as const

const arbitraryRun = fc.record({
  plan: arbitraryPlan,
  maxIterations: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 25 })),
  dice: fc.infiniteStream(fc.integer({ min: 1, max: 100 })),
  failurePercent: fc.constantFrom(0, 10, 50, 100),
  reviews: fc.infiniteStream(arbitraryReview),
  lead: fc.constantFrom('random', ...LEADS),
})
type ArbitraryRun = typeof arbitraryRun extends fc.Arbitrary<infer T> ? T : never

function reviewBy(
  lead: (typeof LEADS)[number],
  state: PlanState,
  iteration: number,
  random: PlanReview,
): PlanReview {
  switch (lead) {
    case 'random':
      return random
    case 'diligent':
      return diligentReview(state)
    case 'diligent from the fourth on':
      return iteration > 3 ? diligentReview(state) : random
    case 'greedy':
      return greedyReview(random)
    case 'idle':
      return CONTINUE_REVIEW
    default:
      return lead satisfies never
  }
}

/** Whether a graph can be completed, determined by another algorithm than the product's. */
function isSound(tasks: ArbitraryRun['plan']['tasks']): boolean {
  const done = new Set<string>()
  for (let size = -1; size !== done.size; ) {
    size = done.size
    for (const { id, depends_on } of tasks) if (depends_on.every((other) => done.has(other))) done.add(id)
  }
  return done.size === tasks.length
}

/** Drives the plan and checks everything; null when the plan was refused. */
function drive(given: ArbitraryRun) {
  const read = readSubmittedPlan(given.plan, ASSIGNEES)
  expect(read.ok).toBe(isSound(given.plan.tasks))
  if (!read.ok) return null
  let review = CONTINUE_REVIEW
  const driven = drivePlan(startPlan(read.plan), {
    maxIterations: given.maxIterations,
    assignees: ASSIGNEES,
    run: () =>
      (given.dice.next().value ?? 0) > given.failurePercent
        ? { ok: true, result: 'R', memberRunId: null }
        : { ok: false, error: 'E', memberRunId: null },
    review: (state, iteration) => {
      const random = readReview(given.reviews.next().value, CRITERIA)
      if (!random.ok) throw new Error(random.problems.join())
      review = reviewBy(given.lead, state, iteration, random.review)
      return review
    },
    onStep: (before, step, cause) => checkStep(before, step, cause, review),
  })
  checkEnd(driven, given.maxIterations)
  checkGoal(driven, review)
  return driven
}

test('every plan ends within the cap and reports only the truth, for any failures and reviews', () => {
  fc.assert(
    fc.property(arbitraryRun, (given) => void drive(given)),
    { numRuns: 300 },
  )
})

test('the property covers every ending, refused plans, renamed tasks and full plans', () => {
  const met: Record<string, number> = {}
  const count = (what: string) => {
    met[what] = (met[what] ?? 0) + 1
  }
  for (const given of fc.sample(arbitraryRun, { seed: 1, numRuns: 200 })) {
    const driven = drive(given)
    count(driven?.stopReason ?? 'refused')
    if (driven?.state.tasks.some(({ id }) => id.includes('-'))) count('renamed')
    if (driven?.state.tasks.length === PLAN_LIMITS.tasks) count('full')
  }
  const all = ['full', 'goal_completed', 'impossible', 'iteration_limit', 'refused', 'renamed', 'stalled']
  expect(Object.keys(met).sort()).toEqual(all)
  for (const what of all) expect(met[what], what).toBeGreaterThan(4)
})

test('a diligent lead whose members do not fail completes every plan that the cap allows', () => {
  fc.assert(
    fc.property(arbitraryPlan, (plan) => {
      const read = readSubmittedPlan(plan, ASSIGNEES)
      fc.pre(read.ok)
      const driven = drivePlan(startPlan(read.plan), {
        maxIterations: PLAN_LIMITS.submittedTasks,
        assignees: ASSIGNEES,
        run: () => ({ ok: true, result: 'R', memberRunId: null }),
        review: diligentReview,
      })
      expect(driven.stopReason).toBe('goal_completed')
      expect(driven.runs).toBe(plan.tasks.length)
    }),
  )
})
