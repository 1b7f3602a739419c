import { addTasks } from './add-tasks.ts'
import { PLAN_LIMITS } from './limits.ts'
import type { PlanReview } from './plan-review.ts'
import { type PlanState, type PlanStep, settle, step, type Task, withTask } from './plan-state.ts'
import type { Assignee } from './submitted-plan.ts'

/** The changes that a review made to a plan. */
export interface AppliedReview extends PlanStep {
  /** What was refused or changed, in sentences for the next review. */
  readonly notes: readonly string[]
  /** Whether anything was cancelled, retried or added. */
  readonly applied: boolean
}

/**
 * Cancels, retries and adds tasks, in this order, then settles. Requests that do not fit the plan are refused
 * with a note.
 */
export function applyReview(
  before: PlanState,
  review: Pick<PlanReview, 'cancel' | 'retry' | 'add'>,
  assignees: readonly Assignee[],
): AppliedReview {
  let state = before
  let applied = false
  const notes: string[] = []
  const attempt = (what: string, refusal: string | null, next: (state: PlanState) => PlanState) => {
    if (refusal !== null) return notes.push(`${what} refused: ${refusal}`)
    state = next(state)
    applied = true
  }

  for (const id of new Set(review.cancel)) {
    attempt(`cancel of ${id}`, cancelRefusal(find(state, id)), (plan) => cancelled(plan, id))
  }
  for (const { id, assignee, description } of review.retry) {
    const task = find(state, id)
    const refusal =
      retryRefusal(task) ?? repeatRefusal(task, description) ?? assigneeRefusal(assignee, assignees)
    attempt(`retry of ${id}`, refusal, (plan) =>
      withTask(plan, id, {
        status: 'pending',
        result: null,
        error: null,
        ...(assignee === null ? {} : { assignee }),
        ...(description === null ? {} : { description }),
      }),
    )
  }
  const addition = addTasks(state, review.add, assignees)
  return {
    ...step(before, settle(addition.state).state),
    notes: [...notes, ...addition.notes],
    applied: applied || addition.added > 0,
  }
}

function find({ tasks }: PlanState, taskId: string): Task | undefined {
  return tasks.find(({ id }) => id === taskId)
}

/** Removes a cancelled task from others' dependencies, so that it blocks none. */
function cancelled(state: PlanState, taskId: string): PlanState {
  const tasks = state.tasks.map((task) =>
    task.dependsOn.includes(taskId)
      ? { ...task, dependsOn: task.dependsOn.filter((id) => id !== taskId) }
      : task,
  )
  return withTask({ ...state, tasks }, taskId, { status: 'cancelled', error: null })
}

function cancelRefusal(task: Task | undefined): string | null {
  if (!task) return 'there is no such task'
  return task.status === 'completed' || task.status === 'cancelled' ? `it is ${task.status}` : null
}

function retryRefusal(task: Task | undefined): string | null {
  if (!task) return 'there is no such task'
  if (task.status !== 'failed' && task.status !== 'completed') return `it is ${task.status}`
  return task.attempts < PLAN_LIMITS.attempts ? null : `${PLAN_LIMITS.attempts} attempts used`
}

/** A task whose attempt had effects is repeated only with a new description: that of the remaining work. */
function repeatRefusal(task: Task | undefined, description: string | null): string | null {
  if (!task?.acted || task.status !== 'failed') return null
  if (description !== null && description.trim() !== task.description.trim()) return null
  return 'its attempt changed something before it failed; retry it with a description of what is left to do'
}

function assigneeRefusal(assignee: string | null, assignees: readonly Assignee[]): string | null {
  const keys = assignees.map(({ key }) => key)
  return assignee === null || keys.includes(assignee) ? null : `${assignee} is not one of ${keys.join(', ')}`
}
