import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, parseId, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunRecord, WorkflowRunStore } from '@troupe/workflows/ports'

/** The error for a run id: one text for unknown, foreign and malformed ids, and for agent and team jobs. */
export function workflowJobNotFound(): DomainError {
  return new DomainError('job_not_found', 'Workflow run not found.')
}

/** @throws DomainError `job_not_found` for a malformed id */
export function workflowJobIdOf(jobId: IdText<WorkflowRunId>): WorkflowRunId {
  const key = parseId(WorkflowRunId, jobId)
  if (key === null) throw workflowJobNotFound()
  return key
}

/** @throws DomainError `job_not_found` */
export async function findWorkflowJob(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
): Promise<WorkflowRunRecord> {
  const record = await store.find(scope, workflowJobIdOf(jobId))
  if (!record) throw workflowJobNotFound()
  return record
}
