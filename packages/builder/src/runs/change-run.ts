import type { Runner, RunRequest } from '@troupe/agents'
import type { Scope } from '@troupe/agents/ports'
import type { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { DomainError, isUuid, type ResultOf, type WorkflowRunId } from '@troupe/contract'
import type { AuditEntry, Database, TracedRun, Transaction } from '@troupe/database'
import { hasTriggerOf } from '@troupe/graph'
import { withCurrentVersion } from '@troupe/operations/workflow-runs/with-current-version'
import { wrongRunStatus } from '@troupe/operations/workflow-runs/wrong-run-status'
import { findWorkflow } from '@troupe/operations/workflows/find-workflow'
import type { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import type { Delivery } from '@troupe/turns'
import { runStartOf, type WorkflowRunner, type WorkflowRunRequest } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { publishedVersion } from '../workflows/start-run.ts'
import { observedRunNotFound, onlyWorkflows } from './run-errors.ts'

/** What changes of runs use. */
export interface ChangeRunParts {
  database: Pick<Database, 'observed' | 'transaction'>
  /** Sends a delivery of a workflow run to the engine without waiting for it. */
  send: (delivery: Delivery) => void
  /** Milliseconds since the epoch. */
  now: () => number
}

/** What a repetition of runs uses. */
export interface RerunParts extends Pick<ChangeRunParts, 'now'> {
  database: Pick<Database, 'observed' | 'transaction' | 'read'>
  runner: Pick<Runner, 'enqueue'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
  workflows: Pick<WorkflowRunner, 'start'>
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

/** What the change of a run did; `changed` is false when it was in that state already. */
interface Change {
  changed: boolean
  status: ChangedRun['status']
}

/** Changes a run and writes the audit row in the same transaction; a run that stays as it is has no row. */
async function changeAudited(
  { database }: ChangeRunParts,
  caller: BuilderCaller,
  traced: TracedRun,
  verb: 'cancelled' | 'paused' | 'resumed',
  change: (tx: Transaction) => Promise<Change | null>,
): Promise<ChangedRun> {
  return database.transaction(async (tx) => {
    const outcome = await change(tx)
    if (!outcome) throw observedRunNotFound()
    const { changed, status } = outcome
    if (changed) await tx.write.audit.append(auditRow(caller, traced, verb, { status }))
    return { runId: traced.run.runId, status }
  })
}

function auditRow(
  { organizationId, actor }: BuilderCaller,
  { run, kind }: TracedRun,
  verb: 'cancelled' | 'paused' | 'resumed' | 'repeated',
  after: Record<string, unknown>,
): AuditEntry {
  return {
    organizationId,
    projectId: run.projectId,
    actor,
    action: `run.${verb}`,
    entityKind: 'run',
    entityId: run.runId,
    before: { kind, entityId: run.entityId, status: run.status },
    after,
  }
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
  return changeAudited(parts, caller, traced, 'cancelled', async ({ runs, workflowRuns }) => {
    const { kind, run } = traced
    const { entityId, isTest: isPlayground } = run
    const outcome =
      kind === 'workflow'
        ? await workflowRuns.cancel(caller, run.runId)
        : await runs.cancel(caller, { kind, entityId, runId: run.runId, isPlayground })
    return outcome && { changed: outcome.cancelled, status: outcome.status }
  })
}

/** Pauses a workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function pauseObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ChangedRun> {
  const traced = await found(parts.database, caller, runId)
  if (traced.kind !== 'workflow') throw onlyWorkflows('paused')
  return changeAudited(parts, caller, traced, 'paused', async ({ workflowRuns }) => {
    const outcome = await workflowRuns.pause(caller, traced.run.runId)
    if (outcome && !outcome.paused && outcome.status !== 'paused') {
      throw wrongRunStatus('paused', outcome.status)
    }
    return outcome && { changed: outcome.paused, status: outcome.status }
  })
}

/** Resumes a paused workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function resumeObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ChangedRun> {
  const traced = await found(parts.database, caller, runId)
  if (traced.kind !== 'workflow') throw onlyWorkflows('resumed')
  const deliveries: Delivery[] = []
  const resumed = await changeAudited(parts, caller, traced, 'resumed', async ({ workflowRuns }) => {
    const outcome = await workflowRuns.resume(caller, traced.run.runId)
    if (outcome && !outcome.resumed) throw wrongRunStatus('resumed', outcome.status)
    if (outcome?.delivery) deliveries.push(outcome.delivery)
    return outcome && { changed: true, status: outcome.status }
  })
  // After the commit: a turn that started earlier would find the run paused.
  for (const delivery of deliveries) parts.send(delivery)
  return resumed
}

/**
 * Starts a run with the input of another one, with what is live now. The input is copied here, because what clients see
 * of it is masked and cut. The audit row follows the start, which is a transaction of its own.
 *
 * @throws DomainError `run_not_found`; `invalid_state` when the input is not kept, or the published workflow lacks the trigger
 * of the run; as the start of such a run
 */
export async function rerun(
  parts: RerunParts,
  caller: BuilderCaller,
  runId: string,
): Promise<ResultOf<(typeof BUILDER_OPERATIONS)['rerun']>> {
  const traced = await found(parts.database, caller, runId)
  const { kind } = traced
  const started =
    kind === 'workflow'
      ? await rerunWorkflow(parts, caller, traced)
      : (await parts.runner.enqueue(agentRequest(traced, caller, parts.now()))).jobId
  await parts.database.transaction(({ write }) =>
    write.audit.append(auditRow(caller, traced, 'repeated', { runId: started })),
  )
  return { runId: started, kind }
}

/** Without its own trigger, a run would start every branch of the graph. */
async function rerunWorkflow(
  { database, graphs, workflows, now }: RerunParts,
  caller: BuilderCaller,
  traced: TracedWorkflowRun,
): Promise<WorkflowRunId> {
  const createdAt = now()
  const published = () => findWorkflow(database.read.workflows.byId, caller, traced.run.entityId)
  return withCurrentVersion(await published(), published, async ({ activeDeployment }) => {
    const versionId = publishedVersion(activeDeployment)
    const graph = await graphs.compiled(caller.organizationId, versionId)
    if (graph && !hasTriggerOf(graph, runStartOf(traced.workflowRun))) {
      throw new DomainError(
        'invalid_state',
        'The published version no longer has the trigger that started this run.',
      )
    }
    const { runId } = await workflows.start({ ...workflowRequest(traced, caller, createdAt), versionId })
    return runId
  })
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
