/** An agent that tasks can be assigned to. */
export interface Assignee {
  /** `m1`, `m2`, …, or `lead`. */
  key: string
  /** One line that starts with the key: `m1 (Billing): invoices and refunds`. */
  label: string
}

/** A condition of the goal. */
export interface Criterion {
  readonly id: string
  readonly text: string
}

/** A task as the lead submits it. */
export interface SubmittedTask {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The key of an assignee. */
  readonly assignee: string
  /** Ids of tasks that must be completed first. */
  readonly dependsOn: readonly string[]
}

/** A plan that passed every check: unique ids, known assignees and dependencies, no cycle. */
export interface SubmittedPlan {
  readonly goal: string
  readonly criteria: readonly Criterion[]
  readonly tasks: readonly SubmittedTask[]
}
