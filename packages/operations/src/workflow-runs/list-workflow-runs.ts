import type { Scope } from '@troupe/agents/ports'
import { DomainError, isUuid, type WorkflowId, type WorkflowRunId } from '@troupe/contract'
import type {
  WorkflowRunCursor,
  WorkflowRunFilter,
  WorkflowRunStatus,
  WorkflowRunStore,
} from '@troupe/workflows/ports'
import { seconds } from './seconds.ts'

const MAX_LIMIT = 100

/** What a list of runs is asked for. */
export interface ListWorkflowRunsQuery {
  workflowId?: WorkflowId
  status?: WorkflowRunStatus
  /** 1 to 100; 20 unless given. */
  limit?: number
  /** `next` of the page before; the first page without one. */
  after?: string
}

/** A run in a list; times in Unix seconds. */
export interface ListedWorkflowRun {
  executionId: WorkflowRunId
  workflowId: WorkflowId
  source: string
  status: WorkflowRunStatus
  /** Why a run in flight stands where it stands. */
  statusReason: string | null
  error: string | null
  createdAt: number
  startedAt: number | null
  completedAt: number | null
}

function writeCursor({ createdAt, runId }: WorkflowRunCursor): string {
  return Buffer.from(`${createdAt}.${runId}`).toString('base64url')
}

function readCursor(text: string): WorkflowRunCursor {
  const [, createdAt, runId = ''] = /^(\d{1,15})\.(.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (createdAt === undefined || !isUuid(runId)) {
    const errors = [{ path: 'after', message: 'must be the next of an earlier page' }]
    throw new DomainError('validation_error', 'The request is not valid.', { errors })
  }
  return { createdAt: Number(createdAt), runId: runId as WorkflowRunId }
}

/**
 * One page of runs, newest first. It stays where it is while new runs arrive: pages go on behind a run, not at a number.
 *
 * @throws DomainError `validation_error` for an `after` that no page had.
 */
export async function listWorkflowRuns(
  store: Pick<WorkflowRunStore, 'list'>,
  scope: Scope,
  { workflowId, status, limit = 20, after }: ListWorkflowRunsQuery,
): Promise<{ data: ListedWorkflowRun[]; next: string | null }> {
  const filter: WorkflowRunFilter = { ...(workflowId && { workflowId }), ...(status && { status }) }
  const page = { limit: Math.min(Math.max(limit, 1), MAX_LIMIT), after: after ? readCursor(after) : null }
  const { runs, next } = await store.list(scope, filter, page)
  const data = runs.map(({ runId, versionId: _, ...run }) => ({
    ...run,
    executionId: runId,
    createdAt: Math.floor(run.createdAt / 1000),
    startedAt: seconds(run.startedAt),
    completedAt: seconds(run.completedAt),
  }))
  return { data, next: next && writeCursor(next) }
}
