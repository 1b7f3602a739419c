import type { ClaimedWorkflowRun } from '../ports/workflow-store.ts'

/**
 * A run without what earlier turns have stored of it. A turn reads that once; whoever keeps the run for longer keeps this,
 * because the rest may have 50 MB.
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
