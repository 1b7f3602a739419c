import type { PlanReview } from './plan-review.ts'
import type { PlanState } from './plan-state.ts'

/** Whether the goal is reached; otherwise why "complete" was refused, as sentences for the next review. */
export type GoalJudgement = { completed: true } | { completed: false; notes: string[] }

/**
 * The engine's own verdict after a review was applied. The lead's "complete" is accepted only if a completed
 * task's result proves every criterion and no task is left.
 */
export function goalCompleted(
  state: PlanState,
  review: Pick<PlanReview, 'verdict' | 'criteria'>,
): GoalJudgement {
  if (review.verdict !== 'complete') return { completed: false, notes: [] }
  const notes = [...openCriteria(state, review), ...openTasks(state)].map(
    (why) => `"complete" was refused: ${why}`,
  )
  return notes.length === 0 ? { completed: true } : { completed: false, notes }
}

function openCriteria({ criteria, tasks }: PlanState, review: Pick<PlanReview, 'criteria'>): string[] {
  const completed = new Set(tasks.filter(({ status }) => status === 'completed').map(({ id }) => id))
  return criteria.flatMap(({ id }) => {
    const judged = review.criteria.filter((criterion) => criterion.id === id)
    if (judged.length === 0) return [`criterion ${id} was not judged`]
    if (!judged.every(({ met }) => met)) return [`criterion ${id} is not met`]
    const proven = judged.some(({ evidence }) => evidence.some((taskId) => completed.has(taskId)))
    return proven ? [] : [`criterion ${id} has no completed task as evidence`]
  })
}

function openTasks({ tasks }: PlanState): string[] {
  const open = tasks.filter(({ status }) => status !== 'completed' && status !== 'cancelled')
  if (open.length > 0) return open.map(({ id, status }) => `task ${id} is ${status}`)
  return tasks.some(({ status }) => status === 'completed') ? [] : ['no task is completed']
}
