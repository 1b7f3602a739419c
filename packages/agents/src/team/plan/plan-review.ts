import type { SubmittedTask } from './submitted-plan.ts'

export const PLAN_VERDICTS = ['complete', 'continue', 'impossible'] as const
/** What the lead says about the goal. The sandbox takes the first when none stands out. */
export type PlanVerdict = (typeof PLAN_VERDICTS)[number]

/** What the lead decides after an iteration. Its ids are claims: applying it refuses what does not fit the plan. */
export interface PlanReview {
  readonly criteria: readonly { id: string; met: boolean; evidence: readonly string[] }[]
  readonly verdict: PlanVerdict
  readonly reason: string
  readonly add: readonly SubmittedTask[]
  /** Null keeps what the task has. */
  readonly retry: readonly { id: string; assignee: string | null; description: string | null }[]
  readonly cancel: readonly string[]
}

/** What stands in for the review of a lead that gave no valid one. */
export const CONTINUE_REVIEW: PlanReview = {
  criteria: [],
  verdict: 'continue',
  reason: '',
  add: [],
  retry: [],
  cancel: [],
}
