export { applyReview } from './apply-review.ts'
export { PLAN_LIMITS } from './limits.ts'
export { CONTINUE_REVIEW, type PlanReview } from './plan-review.ts'
export { reviewSchema, submitPlanSchema } from './plan-schema.ts'
export {
  type PlanState,
  type PlanStep,
  readyTasks,
  settle,
  startPlan,
  type Task,
  type TaskOutcome,
  taskEnded,
  taskStarted,
} from './plan-state.ts'
export { goalLine, publicTask, reportWithoutLead, runPlan, taskTable } from './plan-summary.ts'
export { readReview, readSubmittedPlan } from './read-plan.ts'
export type { Assignee, SubmittedPlan } from './submitted-plan.ts'
export { goalCompleted } from './verdict.ts'
