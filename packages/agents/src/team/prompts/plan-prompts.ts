import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { PlanStopReason } from '@troupe/contract'
import type { FrozenMember } from '../members/freeze-team.ts'
import type { TeamRun } from '../members/team-run.ts'
import type { PlanState } from '../plan/plan-state.ts'
import { goalLine, taskTable } from '../plan/plan-summary.ts'
import { paragraphs, promptBlock, withinTokens } from './blocks.ts'
import { leadPrompt } from './lead-prompt.ts'

/** The input of a review. */
export interface ReviewSubject {
  state: PlanState
  iteration: number
  maxIterations: number
  /** The engine's notes on the previous review. */
  notes: readonly string[]
}

const RESULT_TOKENS = 2_000
const PLAN_ROLE = [
  'You lead a team that works through a plan. Make the plan for the goal in the last message of the user: the goal, 1 to',
  '8 criteria by which anybody can tell that it is done, and 1 to 20 tasks. Give each task to the assignee that is best at',
  "it. A description stands alone, keeps every requirement of the user and is in the user's language. Tasks that do not",
  'depend on each other run at the same time. You do no task yourself unless you are an assignee.',
].join('\n')
const REVIEW_ROLE = [
  'You lead a team that works through a plan. Judge the round honestly from the results alone. A criterion is met only',
  'when a completed task is evidence for it. Say "complete" when every criterion is met, "impossible" when the goal cannot',
  'be reached (for instance because an answer of the user is needed: put the question into the reason), else "continue",',
  'and then retry, add or cancel tasks where it helps.',
].join('\n')
const REPORT_ROLE = [
  'You lead a team that has worked through a plan. Write the report for the user from the results: the outcome first, in',
  "the user's language. Name what is missing and why. Claim no completion when the goal was not completed. Do not write a",
  'line that says whether the goal was completed; it is added after your text.',
].join('\n')

function resultsText({ tasks }: PlanState): string {
  const texts = tasks.flatMap((task) => {
    const text = task.result ?? (task.error === null ? null : `It failed: ${task.error}`)
    if (text === null) return []
    const attributes = { task: task.id, member: task.assignee, status: task.status }
    return [promptBlock('member_result', withinTokens(text, RESULT_TOKENS), attributes)]
  })
  return texts.join('\n')
}

function criteriaText({ goal, criteria }: PlanState): string {
  return [`Goal: ${goal}`, ...criteria.map(({ id, text }) => `${id}: ${text}`)].join('\n')
}

export function planPrompt(run: TeamRun, members: readonly FrozenMember[]): LanguageModelV4Prompt {
  return leadPrompt(run, PLAN_ROLE, members, run.message)
}

export function reviewPrompt(
  run: TeamRun,
  members: readonly FrozenMember[],
  { state, iteration, maxIterations, notes }: ReviewSubject,
): LanguageModelV4Prompt {
  const asked = paragraphs(
    promptBlock('user_message', run.message),
    promptBlock('criteria', criteriaText(state)),
    promptBlock('tasks', taskTable(state)),
    resultsText(state),
    notes.length === 0 ? null : promptBlock('notes', notes.join('\n')),
    `This was round ${iteration} of at most ${maxIterations}. Review it. Is the goal complete?`,
  )
  return leadPrompt(run, REVIEW_ROLE, members, asked)
}

export function reportPrompt(
  run: TeamRun,
  state: PlanState,
  stopReason: PlanStopReason,
): LanguageModelV4Prompt {
  const asked = paragraphs(
    promptBlock('user_message', run.message),
    promptBlock('criteria', criteriaText(state)),
    promptBlock('tasks', taskTable(state)),
    resultsText(state),
    `${goalLine(state, stopReason)}. Write the report.`,
  )
  return leadPrompt(run, REPORT_ROLE, run.team.members, asked)
}
