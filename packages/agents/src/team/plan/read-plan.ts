import type { FieldError } from '@troupe/contract'
import type { PlanReview } from './plan-review.ts'
import type { Assignee, SubmittedPlan, SubmittedTask } from './submitted-plan.ts'
import { dependencyCycle } from './task-graph.ts'
import { checkPlanInput, checkReviewInput, type TaskInput } from './wire-shapes.ts'

/** More problems would not help a model to repair its call. */
const MAX_PROBLEMS = 20

/** Reads the input of `submit_plan`. `problems` are sentences for the lead's one repair turn. */
export function readSubmittedPlan(
  input: unknown,
  assignees: readonly Assignee[],
): { ok: true; plan: SubmittedPlan } | { ok: false; problems: string[] } {
  const checked = checkPlanInput(input)
  if (!checked.ok) return refused(checked.errors.map(sentence))
  const plan: SubmittedPlan = {
    goal: checked.value.goal.trim(),
    criteria: checked.value.done_criteria.map(({ id, text }) => ({ id, text: oneLine(text) })),
    tasks: checked.value.tasks.map(toTask),
  }
  const problems = [
    ...repeated(plan.criteria).map((id) => `two criteria have the id ${id}`),
    ...repeated(plan.tasks).map((id) => `two tasks have the id ${id}`),
    ...unknownAssignees(plan.tasks, assignees),
    ...unknownDependencies(plan.tasks),
  ]
  if (problems.length === 0) problems.push(...cyclesOf(plan.tasks))
  return problems.length === 0 ? { ok: true, plan } : refused(problems)
}

/**
 * Reads the input of `review`. Only its shape and criteria can be wrong here: unknown tasks and assignees are
 * refused individually when the review is applied, so that the rest is still applied.
 */
export function readReview(
  input: unknown,
  criterionIds: readonly string[],
): { ok: true; review: PlanReview } | { ok: false; problems: string[] } {
  const checked = checkReviewInput(input)
  if (!checked.ok) return refused(checked.errors.map(sentence))
  const { criteria, verdict, reason, add, retry, cancel } = checked.value
  const unknown = (criteria ?? []).filter(({ id }) => !criterionIds.includes(id))
  if (unknown.length > 0) {
    return refused(
      unknown.map(({ id }) => `criterion ${id} does not exist; the criteria are ${criterionIds.join(', ')}`),
    )
  }
  return {
    ok: true,
    review: {
      criteria: (criteria ?? []).map(({ id, met, evidence }) => ({ id, met, evidence: evidence ?? [] })),
      verdict,
      reason: reason ?? '',
      add: (add ?? []).map(toTask),
      retry: (retry ?? []).map(({ id, assignee, description }) => ({
        id,
        assignee: assignee || null,
        description: description?.trim() || null,
      })),
      cancel: cancel ?? [],
    },
  }
}

function refused(problems: readonly string[]): { ok: false; problems: string[] } {
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

function sentence({ path, message }: FieldError): string {
  return `${path === '' ? 'the input' : path} ${message}`
}

function toTask({ id, title, description, assignee, depends_on }: TaskInput): SubmittedTask {
  const dependsOn = [...new Set(depends_on ?? [])]
  return { id, title: oneLine(title), description: description.trim(), assignee, dependsOn }
}

/** Titles and criteria become table rows, so they must fit on one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function repeated(items: readonly { id: string }[]): string[] {
  const ids = items.map(({ id }) => id)
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}

function unknownAssignees(tasks: readonly SubmittedTask[], assignees: readonly Assignee[]): string[] {
  const keys = assignees.map(({ key }) => key)
  return tasks
    .filter(({ assignee }) => !keys.includes(assignee))
    .map(
      ({ id, assignee }) => `task ${id} is assigned to ${assignee}, which is not one of ${keys.join(', ')}`,
    )
}

function unknownDependencies(tasks: readonly SubmittedTask[]): string[] {
  const ids = new Set(tasks.map(({ id }) => id))
  return tasks.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((dependency) => !ids.has(dependency))
      .map((dependency) => `task ${id} depends on ${dependency}, which does not exist`),
  )
}

function cyclesOf(tasks: readonly SubmittedTask[]): string[] {
  const cycle = dependencyCycle(tasks)
  if (cycle === null) return []
  const [only] = cycle
  return [
    cycle.length === 1
      ? `task ${only} depends on itself`
      : `tasks ${cycle.join(', ')} depend on each other in a cycle`,
  ]
}
