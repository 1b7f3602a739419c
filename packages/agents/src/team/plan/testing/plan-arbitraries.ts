import fc from 'fast-check'
import { PLAN_LIMITS } from '../limits.ts'
import { CONTINUE_REVIEW, type PlanReview } from '../plan-review.ts'
import type { PlanState } from '../plan-state.ts'

export const CRITERIA = ['c1', 'c2']

/** Ids of planned, added, renamed and non-existent tasks. */
const anyId = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 20 }).map((count) => `t${count}`) },
  { weight: 1, arbitrary: fc.constantFrom('t1-2', 't2-2', 't1-3', 'nothing') },
)
const assignee = fc.constantFrom('m1', 'm2', 'm2', 'm1', 'm9')

/** Dependencies point to earlier tasks, so that most plans are valid; `back` adds some that may not be. */
export const arbitraryPlan = fc
  .array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 20 })
  .chain((edges) =>
    fc.record({ edges: fc.constant(edges), back: fc.option(fc.tuple(fc.nat(20), fc.nat(20)), { freq: 8 }) }),
  )
  .map(({ edges, back }) => ({
    goal: 'The goal.',
    done_criteria: CRITERIA.map((id) => ({ id, text: 'It is done.' })),
    tasks: edges.map((targets, index) => ({
      id: `t${index + 1}`,
      title: 'A title',
      description: 'Do it.',
      assignee: index % 2 === 0 ? 'm1' : 'm2',
      depends_on: [
        ...(index === 0 ? [] : targets.map((target) => `t${(target % index) + 1}`)),
        ...(back?.[0] === index ? [`t${back[1]}`] : []),
      ],
    })),
  }))

const few = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { maxLength }) },
  )

export const arbitraryReview = fc.record({
  criteria: fc.array(
    fc.record({
      id: fc.constantFrom(...CRITERIA),
      met: fc.boolean(),
      evidence: fc.array(anyId, { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  verdict: fc.constantFrom('continue', 'continue', 'continue', 'complete', 'complete', 'impossible'),
  add: few(
    fc.record({
      id: anyId,
      title: fc.constant('New'),
      description: fc.constant('Do more.'),
      assignee,
      depends_on: fc.array(anyId, { maxLength: 2 }),
    }),
    12,
  ),
  retry: few(
    fc.record({ id: anyId, assignee: fc.option(assignee), description: fc.option(fc.constant('x')) }),
    6,
  ),
  cancel: few(anyId, 4),
})

/**
 * A lead that tries to finish: retries failed tasks, cancels blocked ones, then claims completion with all
 * evidence.
 */
export function diligentReview({ tasks }: PlanState): PlanReview {
  const of = (...statuses: string[]) => tasks.filter(({ status }) => statuses.includes(status))
  const lost = of('failed').filter(({ attempts }) => attempts >= PLAN_LIMITS.attempts)
  return {
    ...CONTINUE_REVIEW,
    verdict: of('pending', 'failed', 'blocked').length === 0 ? 'complete' : 'continue',
    criteria: CRITERIA.map((id) => ({ id, met: true, evidence: of('completed').map((task) => task.id) })),
    retry: of('failed').map(({ id }) => ({ id, assignee: null, description: null })),
    cancel: lost.map(({ id }) => id),
  }
}

/** A lead that never stops adding tasks. */
export function greedyReview(random: PlanReview): PlanReview {
  const add = Array.from({ length: 6 }, (_, index) => ({
    id: `t${index + 1}`,
    title: 'More',
    description: 'Do more.',
    assignee: 'm1',
    dependsOn: index === 0 ? [] : ['t1'],
  }))
  return { ...random, verdict: 'continue', add }
}
