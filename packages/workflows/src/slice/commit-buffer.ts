import type { CommitOutcome, WorkflowCommit } from '../ports/workflow-store.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import type { LiveWorkflowRun } from './live-workflow-run.ts'
import { reviewsToOpen } from './reviews-of-run.ts'
import type { RunIdentity } from './run-identity.ts'

/** Writes everything that is not committed, with the status that follows from it, and opens the reviews that it asks for. */
export async function commitBuffer(
  deps: WorkflowDependencies,
  { fence, organizationId, waiter }: RunIdentity,
  { state, buffer }: LiveWorkflowRun,
  to: WorkflowCommit['to'],
): Promise<CommitOutcome> {
  buffer.collect(state)
  const { asked, ...rows } = buffer.take(state)
  const reviews = reviewsToOpen(deps, asked)
  const outcome = await deps.store.commit({ fence, organizationId, waiter, to, ...rows, reviews })
  if (reviews.length > 0 && outcome.kind !== 'lost') deps.reviews.opened()
  // A cancel was faster than its signal: what was done until then belongs to the trace all the same.
  if (outcome.kind === 'lost' && outcome.status === 'cancelled') {
    await deps.store.settleCancelled(fence, rows.nodeRuns)
  }
  return outcome
}

/** Adds everything that is not committed to the trace of a cancelled run. */
export async function settleBuffer(
  deps: WorkflowDependencies,
  { fence }: RunIdentity,
  { state, buffer }: LiveWorkflowRun,
): Promise<void> {
  buffer.collect(state)
  await deps.store.settleCancelled(fence, buffer.take(state).nodeRuns)
}
