import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, type WorkflowJobResult, type WorkflowRunId } from '@troupe/contract'
import { ENDED_STATUSES, type WorkflowRunStore } from '@troupe/workflows/ports'
import { findWorkflowJob } from './find-workflow-job.ts'

const ENDED: ReadonlySet<string> = new Set(ENDED_STATUSES)

/**
 * The result of a finished run.
 *
 * @throws DomainError `job_not_found`, `not_finished`.
 */
export async function getWorkflowJobResult(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowJobResult> {
  const { runId, status, output, error } = await findWorkflowJob(store, scope, jobId)
  if (!ENDED.has(status)) throw new DomainError('not_finished', `The run is ${status}; it has no result yet.`)
  return { executionId: runId, status, output, error }
}
