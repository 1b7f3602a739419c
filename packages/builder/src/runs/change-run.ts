import type { Runner, RunRequest } from '@troupe/agents'
import type { Scope } from '@troupe/agents/ports'
import type { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { DomainError, isUuid, type ResultOf } from '@troupe/contract'
import type { Database, TracedRun } from '@troupe/database'
import { pauseWorkflowJob, resumeWorkflowJob } from '@troupe/operations/workflow-runs/workflow-jobs'
import type { Delivery } from '@troupe/turns'
import type { WorkflowRunner, WorkflowRunRequest } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { observedRunNotFound, onlyWorkflows } from './run-errors.ts'

/** What changes of runs use. */
export interface ChangeRunParts {
  database: Pick<Database, 'observed' | 'runs' | 'workflowRuns' | 'transaction'>
  runner: Pick<Runner, 'enqueue'>
  workflows: Pick<WorkflowRunner, 'start'>
  /** Sends a delivery of a workflow run to the engine without waiting for it. */
  send: (delivery: Delivery) => void
  /** Milliseconds since the epoch. */
  now: () => number
}

type ChangedRun = ResultOf<(typeof BUILDER_OPERATIONS)['cancelRun']>

async function found(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: Scope,
  runId: string,
): Promise<TracedRun> {
  const run = isUuid(runId) ? await observed.run(organizationId, runId, { nodes: 0 }) : null
  if (!run) throw observedRunNotFound()
  return run
}

/** Written after the change: the stores of runs change a run in a statement of their own. */
async function audit(
  { database }: ChangeRunParts,
  { organizationId, actor }: BuilderCaller,
  { run, kind }: TracedRun,
  verb: 'cancelled' | 'paused' | 'resumed' | 'repeated',
  after: Record<string, unknown>,
): Promise<void> {
  await database.transaction(({ write }) =>
    write.audit.append({
      organizationId,
      projectId: run.projectId,
      actor,
      action: `run.${verb}`,
      entityKind: 'run',
      entityId: run.runId,
      before: { kind, entityId: run.entityId, status: run.status },
      after,
    }),
  )
}

/**
 * Cancels a run in flight, whichever process executes it. A run that has ended keeps its status.
 *
 * @throws DomainError `run_not_found`
 */
export async function cancelObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ChangedRun> {
  const traced = await found(parts.database, caller, runId)
  const { runs, workflowRuns } = parts.database
  const outcome =
    traced.kind === 'workflow'
      ? await workflowRuns.cancel(caller, traced.run.runId)
      : await runs.cancel(caller, { kind: traced.kind, entityId: null, runId: traced.run.runId })
  if (!outcome) throw observedRunNotFound()
  if (outcome.cancelled) await audit(parts, caller, traced, 'cancelled', { status: outcome.status })
  return { runId, status: outcome.status }
}

/** Pauses a workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function pauseObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ChangedRun> {
  const traced = await found(parts.database, caller, runId)
  if (traced.kind !== 'workflow') throw onlyWorkflows('paused')
  const { status } = await pauseWorkflowJob(parts.database.workflowRuns, caller, runId)
  await audit(parts, caller, traced, 'paused', { status })
  return { runId, status }
}

/** Resumes a paused workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function resumeObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ChangedRun> {
  const traced = await found(parts.database, caller, runId)
  if (traced.kind !== 'workflow') throw onlyWorkflows('resumed')
  const { status } = await resumeWorkflowJob(parts.database.workflowRuns, parts.send, caller, runId)
  await audit(parts, caller, traced, 'resumed', { status })
  return { runId, status }
}

/**
 * Starts a run with the input of another one, with what is live now. The input is copied here, because what clients see
 * of it is masked and cut.
 *
 * @throws DomainError `run_not_found`; `invalid_state` when the input is not kept; as the start of such a run
 */
export async function rerun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ResultOf<(typeof BUILDER_OPERATIONS)['rerun']>> {
  const traced = await found(parts.database, caller, runId)
  const { kind } = traced
  const started =
    kind === 'workflow'
      ? (await parts.workflows.start(workflowRequest(traced, caller, parts.now()))).runId
      : (await parts.runner.enqueue(agentRequest(traced, caller, parts.now()))).jobId
  await audit(parts, caller, traced, 'repeated', { runId: started })
  return { runId: started, kind }
}

type TracedAgentRun = Exclude<TracedRun, { kind: 'workflow' }>
type TracedWorkflowRun = Extract<TracedRun, { kind: 'workflow' }>

function agentRequest({ kind, run, agentRun }: TracedAgentRun, scope: Scope, acceptedAt: number): RunRequest {
  if (agentRun.input === null) {
    throw new DomainError('invalid_state', 'The run cannot be repeated: its texts are not kept.')
  }
  return {
    ...{ scope, kind, acceptedAt },
    entityId: run.entityId,
    apiKeyId: null,
    message: agentRun.input,
    sessionId: null,
    userId: null,
    includeMessages: false,
    tag: run.tag,
    toolContext: {},
    output: null,
    source: 'api_async',
    idempotency: null,
  }
}

function workflowRequest(
  { run, workflowRun }: TracedWorkflowRun,
  caller: BuilderCaller,
  createdAt: number,
): WorkflowRunRequest {
  return {
    scope: caller,
    workflowId: run.entityId,
    versionId: null,
    source: workflowRun.source,
    firedNodeId: workflowRun.firedNodeId,
    scheduledFor: workflowRun.scheduledFor,
    input: workflowRun.input,
    apiKeyId: null,
    startedByUserId: caller.userId,
    idempotency: null,
    createdAt,
  }
}
