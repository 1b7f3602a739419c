import type { WorkflowRunId } from '@troupe/contract'

/** The person has as many tests in flight as one may have; nothing was started. */
export class TestsInFlight extends Error {
  override readonly name = 'TestsInFlight'
  /** Oldest first. */
  readonly runIds: readonly WorkflowRunId[]

  constructor(runIds: readonly WorkflowRunId[]) {
    super('too many tests of one person are in flight')
    this.runIds = runIds
  }
}
