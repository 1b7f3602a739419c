import { expect } from 'vitest'
import { PLAN_LIMITS } from '../limits.ts'
import type { PlanReview } from '../plan-review.ts'
import { type PlanState, type PlanStep, settle } from '../plan-state.ts'
import { dependencyCycle } from '../task-graph.ts'
import type { DrivenPlan } from './drive-plan.ts'
import { CRITERIA } from './plan-arbitraries.ts'
import { ASSIGNEES } from './plan-fixture.ts'

/** The allowed status transitions, by cause. Completed tasks move only by a retry, cancelled ones never. */
const MOVES: Record<string, readonly string[]> = {
  start: ['pending>running'],
  end: ['running>completed', 'running>failed'],
  settle: ['pending>blocked', 'blocked>pending'],
  review: [
    ...['pending>cancelled', 'failed>cancelled', 'blocked>cancelled'],
    ...['failed>pending', 'completed>pending', 'failed>blocked', 'completed>blocked'],
    ...['pending>blocked', 'blocked>pending', 'null>pending', 'null>blocked'],
  ],
}

/** The invariants of every step. */
export function checkStep(
  before: PlanState,
  { state, changes }: PlanStep,
  cause: string,
  review: PlanReview,
): void {
  const earlier = new Map(before.tasks.map((task) => [task.id, task]))
  const told = new Set(changes.map(({ task }) => task.id))
  for (const { task, previousStatus } of changes) {
    expect(MOVES[cause]).toContain(`${previousStatus}>${task.status}`)
    expect(previousStatus).toBe(earlier.get(task.id)?.status ?? null)
    expect(state.tasks).toContain(task)
    if (previousStatus === 'completed') expect(review.retry.map(({ id }) => id)).toContain(task.id)
  }
  for (const task of state.tasks) {
    if (!told.has(task.id)) expect(task.status).toBe(earlier.get(task.id)?.status)
    expect(task.attempts).toBeGreaterThanOrEqual(earlier.get(task.id)?.attempts ?? 0)
  }
}

/** The invariants of every ended plan. */
export function checkEnd({ state, stopReason, iterations }: DrivenPlan, maxIterations: number): void {
  const status = new Map(state.tasks.map((task) => [task.id, task.status]))
  const stuck = (id: string) => ['failed', 'blocked'].includes(status.get(id) ?? '')
  const rootedInFailure = (id: string): boolean =>
    status.get(id) === 'failed' ||
    (state.tasks.find((task) => task.id === id)?.dependsOn ?? []).some(
      (dependency) => stuck(dependency) && rootedInFailure(dependency),
    )

  expect(iterations).toBeGreaterThan(0)
  expect(iterations).toBeLessThanOrEqual(maxIterations)
  if (stopReason === 'iteration_limit') expect(iterations).toBe(maxIterations)
  expect(status.size).toBe(state.tasks.length)
  expect(state.tasks.length).toBeLessThanOrEqual(PLAN_LIMITS.tasks)
  expect(dependencyCycle(state.tasks)).toBeNull()
  expect(settle(state)).toEqual({ state, changes: [] })
  for (const task of state.tasks) {
    expect(task.status).not.toBe('running')
    expect(task.attempts).toBeLessThanOrEqual(PLAN_LIMITS.attempts)
    expect(task.result !== null).toBe(task.status === 'completed')
    expect(task.error !== null).toBe(task.status === 'failed')
    expect(ASSIGNEES.map(({ key }) => key)).toContain(task.assignee)
    for (const id of task.dependsOn) expect(status.get(id)).not.toBe('cancelled')
    for (const id of task.dependsOn) expect(status.has(id)).toBe(true)
    if (task.status === 'blocked') expect(rootedInFailure(task.id)).toBe(true)
    if (task.status === 'pending') expect(task.dependsOn.some(stuck)).toBe(false)
  }
}

/** A goal is completed only with evidence. */
export function checkGoal({ state, stopReason }: DrivenPlan, review: PlanReview): void {
  if (stopReason !== 'goal_completed') return
  const completed = state.tasks.filter(({ status }) => status === 'completed').map(({ id }) => id)
  expect(review.verdict).toBe('complete')
  expect(state.tasks.every(({ status }) => status === 'completed' || status === 'cancelled')).toBe(true)
  for (const criterion of CRITERIA) {
    const judged = review.criteria.filter(({ id }) => id === criterion)
    expect(judged.every(({ met }) => met)).toBe(true)
    expect(judged.flatMap(({ evidence }) => evidence).some((id) => completed.includes(id))).toBe(true)
  }
}
