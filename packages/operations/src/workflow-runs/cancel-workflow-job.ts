import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowJobStatus, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { workflowJobIdOf, workflowJobNotFound } from './find-workflow-job.ts'

/**
 * Cancels a run in flight, whichever process executes it. A run that has ended keeps its verdict.
 *
 * @throws DomainError `job_not_found`.
 */
export async function cancelWorkflowJob(
  store: Pick<WorkflowRunStore, 'cancel'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowJobStatus> {
  const outcome = await store.cancel(scope, workflowJobIdOf(jobId))
  if (!outcome) throw workflowJobNotFound()
  return { executionId: jobId, status: outcome.status }
}
