import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'

/**
 * A run without the data stored by earlier turns, which can reach 50 MB. A turn reads that data once and retains only
 * this for its duration.
 */
export type RunIdentity = Omit<ClaimedWorkflowRun, 'nodeRuns' | 'iterations' | 'variables'>

export function identityOf({
  nodeRuns,
  iterations,
  variables,
  ...identity
}: ClaimedWorkflowRun): RunIdentity {
  return identity
}
