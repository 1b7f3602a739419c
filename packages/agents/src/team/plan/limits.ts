/** Bounds of a plan that are not configurable. */
export const PLAN_LIMITS = {
  criteria: 8,
  /** Tasks in the initial plan. */
  submittedTasks: 20,
  /** All tasks, including added and cancelled ones. */
  tasks: 40,
  /** Attempts at one task. */
  attempts: 3,
  /** Consecutive iterations without a task run or a change to the plan; one more ends the run as stalled. */
  stalls: 2,
} as const
