import { finishedRun, sharedResult } from '@troupe/agents'
import type { RunnableKind, RunRecord, RunStore, Scope } from '@troupe/agents/ports'
import {
  AgentId,
  type AgentJob,
  type CancelledJob,
  checkedId,
  DomainError,
  type IdText,
  parseId,
  RunId,
  TeamId,
  type TeamJob,
} from '@troupe/contract'

/** The error for a job id: one text for unknown, foreign and malformed ids, and for jobs of the other kind. */
function jobNotFound(): DomainError {
  return new DomainError('job_not_found', 'Job not found.')
}

const seconds = (milliseconds: number | null) =>
  milliseconds === null ? null : Math.floor(milliseconds / 1000)

function presentJob(record: RunRecord): AgentJob | TeamJob {
  const { runId, kind, entityId, status, includeMessages } = record
  const failed = status === 'failed' || status === 'timeout'
  const job = {
    jobId: runId,
    status,
    createdAt: Math.floor(record.createdAt / 1000),
    startedAt: seconds(record.startedAt),
    completedAt: seconds(record.completedAt),
    result: status === 'completed' ? sharedResult(finishedRun(record, '', includeMessages)) : null,
    error: failed ? (record.errorMessage ?? 'The job failed.') : null,
  }
  return kind === 'agent'
    ? { ...job, agentId: checkedId(AgentId, entityId) }
    : { ...job, teamId: checkedId(TeamId, entityId) }
}

async function findJob(
  { runs }: { runs: Pick<RunStore, 'find'> },
  scope: Scope,
  kind: RunnableKind,
  jobId: IdText<RunId>,
): Promise<RunRecord> {
  const runId = parseId(RunId, jobId)
  if (runId === null) throw jobNotFound()
  const record = await runs.find(scope, { kind, entityId: null, runId, isPlayground: false })
  // Synchronous and streaming runs share the id format but are not jobs.
  if (record?.source !== 'api_async') throw jobNotFound()
  return record
}

/**
 * Reads a job.
 *
 * @throws DomainError `job_not_found`.
 */
export async function getJob(
  deps: { runs: Pick<RunStore, 'find'> },
  scope: Scope,
  kind: RunnableKind,
  jobId: IdText<RunId>,
): Promise<AgentJob | TeamJob> {
  return presentJob(await findJob(deps, scope, kind, jobId))
}

/**
 * Cancels a queued or running job, whichever process executes it. A job that has ended keeps its status.
 *
 * @throws DomainError `job_not_found`.
 */
export async function cancelJob(
  deps: { runs: Pick<RunStore, 'find' | 'cancel'> },
  scope: Scope,
  kind: RunnableKind,
  jobId: IdText<RunId>,
): Promise<CancelledJob> {
  const { runId } = await findJob(deps, scope, kind, jobId)
  const outcome = await deps.runs.cancel(scope, { kind, entityId: null, runId, isPlayground: false })
  if (!outcome) throw jobNotFound()
  return { jobId: runId, status: outcome.status }
}
