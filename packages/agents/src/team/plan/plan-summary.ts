import type { PlanStopReason, PlanTask, RunPlan } from '@troupe/contract'
import type { PlanState, Task } from './plan-state.ts'

/** Why a goal was not reached, as worded in the answer's last line. */
const STOP_WORDS: Readonly<Record<Exclude<PlanStopReason, 'goal_completed'>, string>> = {
  iteration_limit: 'iteration limit reached',
  stalled: 'no further progress',
  impossible: 'judged impossible',
  budget: 'budget reached',
  lead_error: 'the lead failed',
}

/**
 * A task as results and events show it. `agentIdOf` maps an assignee's key to its agent, null for a managed
 * lead.
 */
export function publicTask(task: Task, agentIdOf: (key: string) => string | null): PlanTask {
  const { id, title, status, assignee, attempts, memberRunId } = task
  return { id, title, status, assigneeAgentId: agentIdOf(assignee), attempts, memberRunId }
}

/** The plan's outcome, as the run's result shows it. */
export function runPlan(
  state: PlanState,
  end: { stopReason: PlanStopReason; iterations: number; maxIterations: number },
  agentIdOf: (key: string) => string | null,
): RunPlan {
  return {
    goalCompleted: end.stopReason === 'goal_completed',
    stopReason: end.stopReason,
    iterations: end.iterations,
    maxIterations: end.maxIterations,
    tasks: state.tasks.map((task) => publicTask(task, agentIdOf)),
  }
}

/** The answer's last line, written by the engine and not by a model. */
export function goalLine(state: PlanState, stopReason: PlanStopReason): string {
  if (stopReason === 'goal_completed') return 'Goal completed: yes'
  const counted = state.tasks.filter(({ status }) => status !== 'cancelled')
  const done = counted.filter(({ status }) => status === 'completed')
  return `Goal completed: no (${STOP_WORDS[stopReason]}; ${done.length} of ${counted.length} tasks done)`
}

/** The tasks as a table for prompts. */
export function taskTable({ tasks }: PlanState): string {
  return table(
    ['id', 'title', 'status', 'assignee', 'attempts', 'depends_on'],
    tasks.map(({ id, title, status, assignee, attempts, dependsOn }) => [
      id,
      title,
      status,
      assignee,
      String(attempts),
      dependsOn.join(', '),
    ]),
  )
}

/** Replaces the report of a lead that failed: the tasks as a table for readers. */
export function reportWithoutLead({ tasks }: PlanState): string {
  const rows = tasks.map(({ title, status, attempts }) => [title, status, String(attempts)])
  return `The lead could not write a report. The tasks and their results:\n\n${table(['Task', 'Status', 'Attempts'], rows)}`
}

/** A Markdown table. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
