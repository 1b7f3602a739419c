import type { RunId, TaskStatus } from '@troupe/contract'
import type { Criterion, SubmittedPlan, SubmittedTask } from './submitted-plan.ts'

/** A task with its progress. */
export interface Task extends SubmittedTask {
  readonly status: TaskStatus
  /** Number of attempts. */
  readonly attempts: number
  /** The answer; null unless completed. */
  readonly result: string | null
  /** Why it failed; null unless failed. */
  readonly error: string | null
  /** Whether the last attempt failed after it may have had effects, which a repetition would repeat. Absent: no. */
  readonly acted?: boolean
  /** The run of the last ended attempt; null before the first one ends, and if the attempt had no run. */
  readonly memberRunId: RunId | null
}

/** A plan in progress. Immutable: every operation returns the next state. */
export interface PlanState {
  readonly goal: string
  readonly criteria: readonly Criterion[]
  readonly tasks: readonly Task[]
}

/** A task whose status changed. `previousStatus` is null for a new task. */
export interface TaskChange {
  readonly task: Task
  readonly previousStatus: TaskStatus | null
}

/** The next state with its changes, in task order. */
export interface PlanStep {
  readonly state: PlanState
  readonly changes: readonly TaskChange[]
}

/** The outcome of a task's run. */
export type TaskOutcome =
  | { ok: true; result: string; memberRunId: RunId | null }
  /** `acted`: whether it may have had effects before it failed. */
  | { ok: false; error: string; memberRunId: RunId | null; acted?: boolean }

/** A plan before its first task starts. */
export function startPlan({ goal, criteria, tasks }: SubmittedPlan): PlanState {
  return { goal, criteria, tasks: tasks.map(newTask) }
}

/** A submitted task before its first attempt. */
export function newTask({ id, title, description, assignee, dependsOn }: SubmittedTask): Task {
  const untouched = { attempts: 0, result: null, error: null, memberRunId: null } as const
  return { id, title, description, assignee, dependsOn, status: 'pending', ...untouched }
}

/** The pending tasks whose dependencies are all completed. */
export function readyTasks({ tasks }: PlanState): readonly Task[] {
  const completed = new Set(tasks.filter(({ status }) => status === 'completed').map(({ id }) => id))
  return tasks.filter(
    ({ status, dependsOn }) => status === 'pending' && dependsOn.every((id) => completed.has(id)),
  )
}

/** Starts an attempt at a pending task. */
export function taskStarted(state: PlanState, taskId: string): PlanStep {
  return move(state, taskId, 'pending', (task) => ({ status: 'running', attempts: task.attempts + 1 }))
}

/** Ends the attempt at a running task. Tasks that depend on it are settled by `settle`. */
export function taskEnded(state: PlanState, taskId: string, outcome: TaskOutcome): PlanStep {
  const { memberRunId } = outcome
  return move(state, taskId, 'running', () => {
    if (outcome.ok) return { status: 'completed', result: outcome.result, error: null, memberRunId }
    const { error, acted } = outcome
    return { status: 'failed', result: null, error, memberRunId, ...(acted === undefined ? {} : { acted }) }
  })
}

/**
 * Blocks pending tasks with a failed or blocked dependency, and unblocks blocked tasks without one, until
 * nothing changes.
 */
export function settle(state: PlanState): PlanStep {
  let tasks = state.tasks
  // Dependencies are acyclic, so each pass settles at least one more layer of tasks.
  for (let stable = false; !stable; ) {
    const stuck = new Set(
      tasks.filter(({ status }) => status === 'failed' || status === 'blocked').map(({ id }) => id),
    )
    const next = tasks.map((task) => settled(task, stuck))
    stable = next.every((task, index) => task === tasks[index])
    tasks = next
  }
  return step(state, { ...state, tasks })
}

/** The changes between two states: every task that is new or has another status. */
export function step(before: PlanState, after: PlanState): PlanStep {
  const previous = new Map(before.tasks.map(({ id, status }) => [id, status]))
  const changes = after.tasks.flatMap((task) => {
    const previousStatus = previous.get(task.id) ?? null
    return previousStatus === task.status ? [] : [{ task, previousStatus }]
  })
  return { state: after, changes }
}

/** The state with some fields of one task replaced. */
export function withTask(state: PlanState, taskId: string, fields: Partial<Task>): PlanState {
  return { ...state, tasks: state.tasks.map((task) => (task.id === taskId ? { ...task, ...fields } : task)) }
}

function settled(task: Task, stuck: ReadonlySet<string>): Task {
  if (task.status !== 'pending' && task.status !== 'blocked') return task
  const status = task.dependsOn.some((id) => stuck.has(id)) ? 'blocked' : 'pending'
  return status === task.status ? task : { ...task, status }
}

function move(
  state: PlanState,
  taskId: string,
  from: TaskStatus,
  fields: (task: Task) => Partial<Task>,
): PlanStep {
  const task = state.tasks.find(({ id }) => id === taskId)
  if (task?.status !== from) throw new Error(`Task ${taskId} is ${task?.status ?? 'unknown'}, not ${from}.`)
  return step(state, withTask(state, taskId, fields(task)))
}
