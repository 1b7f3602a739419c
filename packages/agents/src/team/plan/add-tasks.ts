import { PLAN_LIMITS } from './limits.ts'
import { newTask, type PlanState } from './plan-state.ts'
import type { Assignee, SubmittedTask } from './submitted-plan.ts'

/** A task to be added; `index` distinguishes tasks with the same id. */
interface Candidate {
  readonly index: number
  readonly task: SubmittedTask
}

/**
 * Adds the tasks of a review. An id in use becomes `<id>-2`, then `<id>-3`. Within the list a dependency's id
 * means the added task; in that task itself it means the existing task of that id. Tasks that do not fit, and
 * their dependents, are refused with a note.
 */
export function addTasks(
  state: PlanState,
  tasks: readonly SubmittedTask[],
  assignees: readonly Assignee[],
): { state: PlanState; notes: string[]; added: number } {
  const candidates = tasks.map((task, index): Candidate => ({ index, task }))
  const { accepted, notes } = select(state, candidates, assignees)
  const ids = newIds(state, accepted)
  const cancelled = new Set(state.tasks.filter(({ status }) => status === 'cancelled').map(({ id }) => id))
  const addition = accepted.map(({ index, task }) => {
    const id = ids.get(index) ?? task.id
    if (id !== task.id) notes.push(`the new task ${task.id} is ${id}, because ${task.id} was in use`)
    const dependsOn = task.dependsOn.map((dependency) => {
      const candidate = candidateFor(candidates, index, dependency)
      return (candidate && ids.get(candidate.index)) ?? dependency
    })
    for (const gone of dependsOn.filter((dependency) => cancelled.has(dependency))) {
      notes.push(`the new task ${id} does not wait for ${gone}, which is cancelled`)
    }
    return newTask({ ...task, id, dependsOn: dependsOn.filter((dependency) => !cancelled.has(dependency)) })
  })
  return { state: { ...state, tasks: [...state.tasks, ...addition] }, notes, added: addition.length }
}

/**
 * Repeatedly accepts candidates whose dependencies are all present, until the plan is full or nothing
 * changes.
 */
function select(state: PlanState, candidates: readonly Candidate[], assignees: readonly Assignee[]) {
  const known = new Set(state.tasks.map(({ id }) => id))
  const accepted = new Set<Candidate>()
  const refused = new Map<Candidate, string>()
  const keys = assignees.map(({ key }) => key)

  for (const candidate of candidates) {
    const { assignee, dependsOn } = candidate.task
    const missing = dependsOn.find((id) => !candidateFor(candidates, candidate.index, id) && !known.has(id))
    if (!keys.includes(assignee)) refused.set(candidate, `${assignee} is not one of ${keys.join(', ')}`)
    else if (missing === candidate.task.id) refused.set(candidate, 'it depends on itself')
    else if (missing !== undefined) refused.set(candidate, `it depends on ${missing}, which does not exist`)
  }
  for (let moved = true; moved; ) {
    moved = false
    for (const candidate of candidates) {
      if (accepted.has(candidate) || refused.has(candidate)) continue
      const awaited = candidate.task.dependsOn.flatMap(
        (id) => candidateFor(candidates, candidate.index, id) ?? [],
      )
      const lost = awaited.find((other) => refused.has(other))
      if (lost) refused.set(candidate, `it depends on ${lost.task.id}, which was refused`)
      else if (!awaited.every((other) => accepted.has(other))) continue
      else if (known.size + accepted.size < PLAN_LIMITS.tasks) accepted.add(candidate)
      else refused.set(candidate, `a plan has at most ${PLAN_LIMITS.tasks} tasks`)
      moved = true
    }
  }
  const notes = candidates
    .filter((candidate) => !accepted.has(candidate))
    .map((candidate) => {
      const why = refused.get(candidate) ?? 'its dependencies form a cycle'
      return `the new task ${candidate.task.id} was refused: ${why}`
    })
  return { accepted: candidates.filter((candidate) => accepted.has(candidate)), notes }
}

/**
 * The added task that an id means in the candidate at `index`: the first of that id, unless it is the
 * candidate itself.
 */
function candidateFor(candidates: readonly Candidate[], index: number, id: string): Candidate | undefined {
  const candidate = candidates.find(({ task }) => task.id === id)
  return candidate?.index === index ? undefined : candidate
}

function newIds(state: PlanState, candidates: readonly Candidate[]): Map<number, string> {
  const used = new Set(state.tasks.map(({ id }) => id))
  const ids = new Map<number, string>()
  for (const { index, task } of candidates) {
    let id = task.id
    for (let count = 2; used.has(id); count++) id = `${task.id}-${count}`
    used.add(id)
    ids.set(index, id)
  }
  return ids
}
