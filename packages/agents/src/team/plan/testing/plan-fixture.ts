import { CONTINUE_REVIEW, type PlanReview } from '../plan-review.ts'
import { newTask, type PlanState, type Task } from '../plan-state.ts'
import type { Assignee } from '../submitted-plan.ts'

export const ASSIGNEES: readonly Assignee[] = [
  { key: 'm1', label: 'm1 (Billing): invoices and refunds' },
  { key: 'm2', label: 'm2 (Writer): letters and reports' },
]

/** A task of `m1` with the given fields. */
export function task(id: string, fields: Partial<Task> = {}): Task {
  const submitted = { id, title: `Title ${id}`, description: `Do ${id}.`, assignee: 'm1', dependsOn: [] }
  return { ...newTask(submitted), ...fields }
}

/** A plan of these tasks with the criterion `c1`. */
export function planOf(...tasks: Task[]): PlanState {
  return { goal: 'The goal.', criteria: [{ id: 'c1', text: 'It is done.' }], tasks }
}

/** A review that says `continue`, with the given fields. */
export function review(fields: Partial<PlanReview> = {}): PlanReview {
  return { ...CONTINUE_REVIEW, ...fields }
}

/** The statuses of a plan's tasks by their ids. */
export function statuses({ tasks }: PlanState): Record<string, string> {
  return Object.fromEntries(tasks.map(({ id, status }) => [id, status]))
}
