import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowJobStatus, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { workflowJobIdOf, workflowJobNotFound } from './find-workflow-job.ts'
import { wrongRunStatus } from './wrong-run-status.ts'

/**
 * Pauses a run: nodes in progress finish, no new ones start.
 *
 * @throws DomainError `job_not_found`, `invalid_state`.
 */
export async function pauseWorkflowJob(
  store: Pick<WorkflowRunStore, 'pause'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowJobStatus> {
  const outcome = await store.pause(scope, workflowJobIdOf(jobId))
  if (!outcome) throw workflowJobNotFound()
  if (!outcome.paused && outcome.status !== 'paused') throw wrongRunStatus('paused', outcome.status)
  return { executionId: jobId, status: outcome.status }
}
