import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowJob, WorkflowRunId } from '@troupe/contract'
import { ENDED_STATUSES, type WorkflowRunRecord, type WorkflowRunStore } from '@troupe/workflows/ports'
import { findWorkflowJob } from './find-workflow-job.ts'
import { seconds } from './seconds.ts'

const ENDED: ReadonlySet<string> = new Set(ENDED_STATUSES)

/**
 * The state of a run.
 *
 * @throws DomainError `job_not_found`.
 */
export async function getWorkflowJob(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowJob> {
  const run = await findWorkflowJob(store, scope, jobId)
  return {
    executionId: run.runId,
    workflowId: run.workflowId,
    status: run.status,
    startedAt: seconds(run.startedAt),
    completedAt: seconds(run.completedAt),
    error: run.error,
    statusReason: ENDED.has(run.status) ? null : (run.statusReason ?? defaultReason(run.status)),
  }
}

/** A human-readable reason for every status in flight. */
function defaultReason(status: WorkflowRunRecord['status']): string | null {
  if (status === 'queued') return 'waiting for a worker'
  if (status === 'paused') return 'paused by a person'
  return status === 'awaiting_approval' ? 'waiting for a review' : null
}
