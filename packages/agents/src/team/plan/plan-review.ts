import type { SubmittedTask } from './submitted-plan.ts'

export const PLAN_VERDICTS = ['complete', 'continue', 'impossible'] as const
/** The lead's verdict on the goal. The sandbox picks the first one unless its prompt favours another. */
export type PlanVerdict = (typeof PLAN_VERDICTS)[number]

/**
 * The lead's decisions after an iteration. Its ids are unchecked: applying the review refuses those that do
 * not fit the plan.
 */
export interface PlanReview {
  readonly criteria: readonly { id: string; met: boolean; evidence: readonly string[] }[]
  readonly verdict: PlanVerdict
  readonly reason: string
  readonly add: readonly SubmittedTask[]
  /** Null keeps the current value. */
  readonly retry: readonly { id: string; assignee: string | null; description: string | null }[]
  readonly cancel: readonly string[]
}

/** The default review when the lead gave no valid one. */
export const CONTINUE_REVIEW: PlanReview = {
  criteria: [],
  verdict: 'continue',
  reason: '',
  add: [],
  retry: [],
  cancel: [],
}
