import type { WorkflowRunId } from '@troupe/contract'

/** The user has the maximum number of tests in flight; nothing was started. */
export class TestsInFlight extends Error {
  override readonly name = 'TestsInFlight'
  /** Oldest first. */
  readonly runIds: readonly WorkflowRunId[]

  constructor(runIds: readonly WorkflowRunId[]) {
    super('too many tests of one person are in flight')
    this.runIds = runIds
  }
}
