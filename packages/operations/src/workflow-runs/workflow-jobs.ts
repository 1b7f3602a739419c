import type { Scope } from '@troupe/agents/ports'
import {
  DomainError,
  isUuid,
  type WorkflowJob,
  type WorkflowJobResult,
  type WorkflowJobStatus,
  type WorkflowNodeRun,
  type WorkflowRunId,
} from '@troupe/contract'
import type { CompiledGraph } from '@troupe/graph'
import { type TraceSecrets, traceSecretsOf, traceValue } from '@troupe/workflows'
import {
  ENDED_STATUSES,
  type StoredNodeRun,
  type WorkflowRunRecord,
  type WorkflowRunStore,
} from '@troupe/workflows/ports'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { seconds } from './seconds.ts'

const ENDED: ReadonlySet<string> = new Set(ENDED_STATUSES)

/** Refuses a run id: one text for unknown, foreign and malformed ids, and for agent and team jobs. */
function jobNotFound(): DomainError {
  return new DomainError('job_not_found', 'There is no such run of a workflow.')
}

function runIdOf(jobId: string): WorkflowRunId {
  if (!isUuid(jobId)) throw jobNotFound()
  return jobId
}

async function findRun(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: string,
): Promise<WorkflowRunRecord> {
  const record = await store.find(scope, runIdOf(jobId))
  if (!record) throw jobNotFound()
  return record
}

/**
 * The state of a run.
 *
 * @throws DomainError `job_not_found`.
 */
export async function getWorkflowJob(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: string,
): Promise<WorkflowJob> {
  const run = await findRun(store, scope, jobId)
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
  if (status === 'queued') return 'waiting for the engine'
  if (status === 'paused') return 'paused by a person'
  return status === 'awaiting_approval' ? 'waiting for a review' : null
}

/**
 * The result of a finished run.
 *
 * @throws DomainError `job_not_found`, `not_finished`.
 */
export async function getWorkflowJobResult(
  store: Pick<WorkflowRunStore, 'find'>,
  scope: Scope,
  jobId: string,
): Promise<WorkflowJobResult> {
  const { runId, status, output, error } = await findRun(store, scope, jobId)
  if (!ENDED.has(status)) throw new DomainError('not_finished', `The run is ${status}; it has no result yet.`)
  return { executionId: runId, status, output, error }
}

/**
 * Cancels a run in flight, whichever process executes it. A run that has ended keeps its verdict.
 *
 * @throws DomainError `job_not_found`.
 */
export async function cancelWorkflowJob(
  store: Pick<WorkflowRunStore, 'cancel'>,
  scope: Scope,
  jobId: string,
): Promise<WorkflowJobStatus> {
  const outcome = await store.cancel(scope, runIdOf(jobId))
  if (!outcome) throw jobNotFound()
  return { executionId: jobId, status: outcome.status }
}

/**
 * Pauses a run: nodes in progress finish, no new ones start.
 *
 * @throws DomainError `job_not_found`, `invalid_state`.
 */
export async function pauseWorkflowJob(
  store: Pick<WorkflowRunStore, 'pause'>,
  scope: Scope,
  jobId: string,
): Promise<WorkflowJobStatus> {
  const outcome = await store.pause(scope, runIdOf(jobId))
  if (!outcome) throw jobNotFound()
  if (!outcome.paused && outcome.status !== 'paused') throw wrongRunStatus('paused', outcome.status)
  return { executionId: jobId, status: outcome.status }
}

/**
 * Resumes a paused run.
 *
 * @throws DomainError `job_not_found`, `invalid_state`.
 */
export async function resumeWorkflowJob(
  store: Pick<WorkflowRunStore, 'resume'>,
  send: (delivery: NonNullable<Awaited<ReturnType<WorkflowRunStore['resume']>>>['delivery'] & object) => void,
  scope: Scope,
  jobId: string,
): Promise<WorkflowJobStatus> {
  const outcome = await store.resume(scope, runIdOf(jobId))
  if (!outcome) throw jobNotFound()
  if (!outcome.resumed) throw wrongRunStatus('resumed', outcome.status)
  if (outcome.delivery) send(outcome.delivery)
  return { executionId: jobId, status: outcome.status }
}

/** Refuses a change that the run's status does not allow. */
export function wrongRunStatus(what: string, status: string): DomainError {
  return new DomainError('invalid_state', `The run cannot be ${what}: it is ${status}.`)
}

function presentNode(
  row: StoredNodeRun,
  graph: CompiledGraph | null,
  secrets: TraceSecrets,
): WorkflowNodeRun {
  const node = graph?.nodes.get(row.nodeId)
  return {
    nodeId: row.nodeId,
    name: node?.name ?? row.nodeId,
    type: node?.type ?? '',
    path: row.path,
    status: row.status,
    attempts: row.attempt,
    startedAt: seconds(row.startedAt),
    completedAt: seconds(row.completedAt),
    error: row.error === null ? null : String(traceValue(row.error, secrets)),
    output: traceValue(row.output ?? null, secrets),
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
  }
}

/**
 * One page of the run's node results, in order. Outputs are shown up to 64 K characters each, without
 * secrets.
 *
 * @throws DomainError `job_not_found`.
 */
export async function listWorkflowJobNodes(
  { store, graphs }: { store: Pick<WorkflowRunStore, 'nodes'>; graphs: Pick<WorkflowGraphs, 'compiled'> },
  scope: Scope,
  jobId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: WorkflowNodeRun[]; total: number; page: number; limit: number }> {
  const found = await store.nodes(scope, runIdOf(jobId), { page, limit })
  if (!found) throw jobNotFound()
  const graph = await graphs.compiled(scope.organizationId, found.versionId)
  const secrets = traceSecretsOf(graph, found.input)
  return { data: found.rows.map((row) => presentNode(row, graph, secrets)), total: found.total, page, limit }
}
