import type { PlanStopReason } from '@troupe/contract'
import { forEachConcurrently } from '@troupe/durable-work'
import { ChatModelError } from '../../ports/chat-models.ts'
import { sourceOf } from '../../run/acting-agent.ts'
import { MessageWriter } from '../../run/message-writer.ts'
import { BudgetSpent } from '../../run/run-budget.ts'
import { RunFailure } from '../../run/run-failure.ts'
import { finalCall } from '../decisions/final-call.ts'
import { PlanCrew } from '../decisions/plan-crew.ts'
import { decidePlan, judgePlan } from '../decisions/plan-decisions.ts'
import type { CoordinationModeWork, TeamRun } from '../members/team-run.ts'
import { applyReview } from '../plan/apply-review.ts'
import { PLAN_LIMITS } from '../plan/limits.ts'
import {
  type PlanStep,
  readyTasks,
  settle,
  startPlan,
  type Task,
  taskEnded,
  taskStarted,
} from '../plan/plan-state.ts'
import { goalLine, publicTask, reportWithoutLead, runPlan } from '../plan/plan-summary.ts'
import { goalCompleted } from '../plan/verdict.ts'
import { reportPrompt } from '../prompts/plan-prompts.ts'

const REPORT_TOKENS = 1_500

/** One plan of one run: the engine executes, the lead only decides. No state outlives the run. */
class PlanExecution {
  readonly #run: TeamRun
  readonly #crew: PlanCrew
  #state: ReturnType<typeof startPlan>
  #iterations = 0
  #notes: readonly string[] = []

  constructor(run: TeamRun, crew: PlanCrew, state: ReturnType<typeof startPlan>) {
    this.#run = run
    this.#crew = crew
    this.#state = state
  }

  get state() {
    return this.#state
  }

  get iterations(): number {
    return this.#iterations
  }

  announce(): void {
    const { goal, criteria, tasks } = this.#state
    const shown = tasks.map((task) => ({ ...this.#taskOf(task), dependsOn: [...task.dependsOn] }))
    const plan = { goal, criteria: criteria.map((criterion) => ({ ...criterion })), tasks: shown }
    this.#run.ctx.output.announcer.tell('PlanCreated', { source: sourceOf(this.#run.lead), plan })
  }

  /** Works on the plan until the goal is reached or a stop condition holds. */
  async work(): Promise<PlanStopReason> {
    const { ctx, lead, team } = this.#run
    const maxIterations = team.snapshot.config.limits.max_iterations
    const source = sourceOf(lead)
    let stalls = 0
    while (this.#iterations < maxIterations) {
      this.#iterations += 1
      const iteration = this.#iterations
      ctx.output.announcer.tell('TaskIterationStarted', { source, iteration, maxIterations })
      const worked = await this.#runReadyTasks()
      const subject = { state: this.#state, iteration, maxIterations, notes: this.#notes }
      const review = await judgePlan(this.#run, this.#crew, subject).catch((error: unknown) => {
        if (error instanceof BudgetSpent) return 'budget' as const
        throw error
      })
      if (!review) return 'lead_error'
      if (review === 'budget') return review
      const applied = this.#take(applyReview(this.#state, review, this.#crew.assignees))
      const judgement = goalCompleted(this.#state, review)
      this.#notes = [...applied.notes, ...(judgement.completed ? [] : judgement.notes)]
      const { verdict, reason } = review
      ctx.output.announcer.tell('TaskIterationCompleted', {
        source,
        iteration,
        maxIterations,
        verdict,
        reason,
      })
      if (judgement.completed) return 'goal_completed'
      if (verdict === 'impossible') return 'impossible'
      stalls = worked || applied.applied ? 0 : stalls + 1
      if (stalls > PLAN_LIMITS.stalls) return 'stalled'
    }
    return 'iteration_limit'
  }

  /** Runs every task whose dependencies are completed; false when there was none. */
  async #runReadyTasks(): Promise<boolean> {
    const ready = readyTasks(this.#state)
    const { max_concurrent_members } = this.#run.team.snapshot.config.limits
    // Tasks see only results from before this iteration, so the order within an iteration does not matter.
    const before = this.#state
    await forEachConcurrently(ready, max_concurrent_members, async (task) => {
      this.#take(taskStarted(this.#state, task.id))
      const attempt = task.attempts + 1
      const outcome = await this.#crew.perform({ task, attempt, state: before })
      this.#take(taskEnded(this.#state, task.id, outcome))
    })
    this.#take(settle(this.#state))
    return ready.length > 0
  }

  #take<T extends PlanStep>(step: T): T {
    this.#state = step.state
    const source = sourceOf(this.#run.lead)
    for (const { task, previousStatus } of step.changes) {
      this.#run.ctx.output.announcer.tell('TaskUpdated', { source, task: this.#taskOf(task), previousStatus })
    }
    return step
  }

  #taskOf(task: Task) {
    const { id, title, status, assigneeAgentId } = publicTask(task, (key) => this.#crew.agentIdOf(key))
    return { id, title, status, assigneeAgentId }
  }
}

/** The lead's report, or the engine's when the lead writes none. False when the lead failed. */
async function writeReport(run: TeamRun, execution: PlanExecution, stop: PlanStopReason): Promise<boolean> {
  if (run.output) {
    if (stop === 'lead_error') throw new RunFailure('The lead of the team failed before it could answer.')
    await finalCall(run, 'report', reportPrompt(run, execution.state, stop))
    return true
  }
  if (stop !== 'lead_error') {
    try {
      await finalCall(run, 'report', reportPrompt(run, execution.state, stop), {
        maxOutputTokens: REPORT_TOKENS,
      })
      return true
    } catch (error) {
      if (!(error instanceof ChatModelError || error instanceof BudgetSpent)) throw error
    }
  }
  new MessageWriter(run.ctx.output, sourceOf(run.lead), 'answer').append(reportWithoutLead(execution.state))
  return false
}

/**
 * The lead makes a plan; the engine runs its tasks, requests a review from the lead after each round, and decides
 * itself whether the goal was reached. The engine writes the last line of an answer in text.
 */
export const planExecute: CoordinationModeWork = async (run) => {
  const crew = new PlanCrew(run)
  const submitted = await decidePlan(run, crew)
  if (!submitted) throw new RunFailure('The lead of the team did not produce a valid plan.')
  const execution = new PlanExecution(run, crew, startPlan(submitted))
  execution.announce()
  const worked = await execution.work()
  const reported = await writeReport(run, execution, worked)
  const stopReason = reported || worked === 'goal_completed' || worked === 'budget' ? worked : 'lead_error'
  const { state, iterations } = execution
  if (!run.output) {
    const line = `\n\n${goalLine(state, stopReason)}`
    new MessageWriter(run.ctx.output, sourceOf(run.lead), 'answer').append(line)
  }
  const { max_iterations: maxIterations } = run.team.snapshot.config.limits
  const plan = runPlan(state, { stopReason, iterations, maxIterations }, (key) => crew.agentIdOf(key))
  const author = { agentId: run.lead.agentId, name: run.lead.name }
  return { success: plan.goalCompleted, author, plan }
}
