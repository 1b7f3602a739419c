import type { CommitOutcome, WorkflowCommit } from '../ports/workflow-store.ts'
import type { WorkflowRows } from './dependencies.ts'
import type { LiveWorkflowRun } from './live-workflow-run.ts'
import { reviewsToOpen } from './reviews-of-run.ts'
import type { RunIdentity } from './run-identity.ts'

/** Commits the buffer with the resulting status, and opens the reviews it requests. */
export async function commitBuffer(
  deps: WorkflowRows,
  { fence, organizationId, waiter }: RunIdentity,
  { state, buffer }: LiveWorkflowRun,
  to: WorkflowCommit['to'],
): Promise<CommitOutcome> {
  buffer.collect(state)
  const { asked, ...rows } = buffer.take(state)
  const reviews = reviewsToOpen(deps, asked)
  const outcome = await deps.store.commit({ fence, organizationId, waiter, to, ...rows, reviews })
  if (reviews.length > 0 && outcome.kind !== 'lost') deps.reviews.opened()
  // A cancel committed before its signal arrived: the work until then still belongs in the trace.
  if (outcome.kind === 'lost' && outcome.status === 'cancelled') {
    await deps.store.settleCancelled(fence, rows.nodeRuns)
  }
  return outcome
}

/** Adds all uncommitted rows to the trace of a cancelled run. */
export async function settleBuffer(
  deps: WorkflowRows,
  { fence }: RunIdentity,
  { state, buffer }: LiveWorkflowRun,
): Promise<void> {
  buffer.collect(state)
  await deps.store.settleCancelled(fence, buffer.take(state).nodeRuns)
}
