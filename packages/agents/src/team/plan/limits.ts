/** Bounds of a plan that no configuration changes. */
export const PLAN_LIMITS = {
  criteria: 8,
  /** Tasks that the lead may submit at first. */
  submittedTasks: 20,
  /** Tasks in all, added and cancelled ones included. */
  tasks: 40,
  /** How often one task may be started. */
  attempts: 3,
  /** Iterations in a row in which nothing ran and nothing was changed; one more ends the run as stalled. */
  stalls: 2,
} as const
