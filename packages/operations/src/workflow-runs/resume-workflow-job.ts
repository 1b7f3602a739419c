import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowJobStatus, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { workflowJobIdOf, workflowJobNotFound } from './find-workflow-job.ts'
import { wrongRunStatus } from './wrong-run-status.ts'

/**
 * Resumes a paused run.
 *
 * @throws DomainError `job_not_found`, `invalid_state`.
 */
export async function resumeWorkflowJob(
  store: Pick<WorkflowRunStore, 'resume'>,
  send: (delivery: NonNullable<Awaited<ReturnType<WorkflowRunStore['resume']>>>['delivery'] & object) => void,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowJobStatus> {
  const outcome = await store.resume(scope, workflowJobIdOf(jobId))
  if (!outcome) throw workflowJobNotFound()
  if (!outcome.resumed) throw wrongRunStatus('resumed', outcome.status)
  if (outcome.delivery) send(outcome.delivery)
  return { executionId: jobId, status: outcome.status }
}
