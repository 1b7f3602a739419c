import type { PlanStopReason } from '@troupe/contract'
import { applyReview } from '../apply-review.ts'
import { PLAN_LIMITS } from '../limits.ts'
import type { PlanReview } from '../plan-review.ts'
import {
  type PlanState,
  type PlanStep,
  readyTasks,
  settle,
  type Task,
  type TaskOutcome,
  taskEnded,
  taskStarted,
} from '../plan-state.ts'
import type { Assignee } from '../submitted-plan.ts'
import { goalCompleted } from '../verdict.ts'

/** A team's behaviour, as functions. */
export interface PlanScript {
  maxIterations: number
  assignees: readonly Assignee[]
  run(task: Task): TaskOutcome
  review(state: PlanState, iteration: number, notes: readonly string[]): PlanReview
  /** Called for every step; `cause` is the operation behind it. */
  onStep?(before: PlanState, step: PlanStep, cause: 'start' | 'end' | 'settle' | 'review'): void
}

/** How a driven plan ended. */
export interface DrivenPlan {
  state: PlanState
  stopReason: PlanStopReason
  iterations: number
  /** The notes of each iteration. */
  notes: readonly (readonly string[])[]
  /** Attempts at tasks. */
  runs: number
}

/** The loop of a plan-execute run without models, storage and time. */
export function drivePlan(plan: PlanState, script: PlanScript): DrivenPlan {
  let state = plan
  let stopReason: PlanStopReason = 'iteration_limit'
  let stalls = 0
  let iterations = 0
  let runs = 0
  const notes: string[][] = []
  const take = <T extends PlanStep>(next: T, cause: 'start' | 'end' | 'settle' | 'review'): T => {
    script.onStep?.(state, next, cause)
    state = next.state
    return next
  }
  while (iterations < script.maxIterations) {
    iterations++
    const ready = readyTasks(state)
    for (const { id } of ready) take(taskStarted(state, id), 'start')
    for (const { id } of ready) {
      const running = state.tasks.find((task) => task.id === id) as Task
      take(taskEnded(state, id, script.run(running)), 'end')
      runs++
    }
    take(settle(state), 'settle')
    const review = script.review(state, iterations, notes.at(-1) ?? [])
    const applied = take(applyReview(state, review, script.assignees), 'review')
    const judgement = goalCompleted(state, review)
    notes.push([...applied.notes, ...(judgement.completed ? [] : judgement.notes)])
    if (judgement.completed) {
      stopReason = 'goal_completed'
      break
    }
    if (review.verdict === 'impossible') {
      stopReason = 'impossible'
      break
    }
    stalls = ready.length > 0 || applied.applied ? 0 : stalls + 1
    if (stalls > PLAN_LIMITS.stalls) {
      stopReason = 'stalled'
      break
    }
  }
  return { state, stopReason, iterations, notes, runs }
}
