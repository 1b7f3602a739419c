import type { Runner, RunRequest } from '@troupe/agents'
import {
  AnyRunId,
  checkedId,
  DomainError,
  type IdText,
  type NewId,
  parseId,
  type ResultOf,
  RUNNABLE_IDS,
  WorkflowRunId,
} from '@troupe/contract'
import type { BUILDER_OPERATIONS, RerunBody } from '@troupe/contract/builder'
import { hasTriggerOf } from '@troupe/graph'
import type { Database, RepeatableRun } from '@troupe/storage'
import { runStartOf, type WorkflowRunner, type WorkflowRunRequest } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditedRun } from '../runs/audited-run.ts'
import { observedRunNotFound } from '../runs/run-errors.ts'
import { prepareTest, testedDraft } from '../test-runs/prepare-test.ts'
import { startPreparedTest } from '../test-runs/start-test-run.ts'
import { findVersion } from '../versions/read-versions.ts'
import { publishedVersion } from '../workflow-editor/start-run.ts'
import { withCurrentVersion } from '../workflow-runs/with-current-version.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { keepDraft } from './keep-draft.ts'

/** Dependencies of repeating runs. */
export interface RerunParts {
  database: Pick<Database, 'observed' | 'transaction' | 'read' | 'versions' | 'drafts'>
  runner: Pick<Runner, 'enqueue' | 'stream'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
  workflows: Pick<WorkflowRunner, 'start' | 'startWithin' | 'send'>
  newId: NewId
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called with the failure to write the audit row of a started run. */
  onUnaudited: (error: unknown, runId: IdText<AnyRunId>) => void
}

/**
 * Starts a run with the input of another one. A trial of the playground repeats with its own version, every other run
 * with the current version. The input is copied on the server, because clients see it masked and truncated.
 *
 * A test of a workflow, and any rerun from a step, is repeated as a test.
 *
 * The run is accepted in a separate transaction before its audit row is written. The engine may execute it from then
 * on, so a failure to write the audit row is logged, and the response still contains the run.
 *
 * @throws DomainError `run_not_found`; `invalid_state` if the input is no longer stored, or the published workflow
 * lacks the trigger of the run; `version_not_found`; as the start of such a run
 */
export async function rerun(
  parts: RerunParts,
  caller: BuilderCaller,
  runId: IdText<AnyRunId>,
  body: RerunBody = {},
): Promise<ResultOf<(typeof BUILDER_OPERATIONS)['rerun']>> {
  const { database, onUnaudited } = parts
  const id = parseId(AnyRunId, runId)
  const run = id && (await database.observed.repeatableRun(caller.organizationId, id))
  if (!run) throw observedRunNotFound()
  const started =
    run.kind === 'workflow'
      ? await (run.isTest || body.from || body.on
          ? testAgain(parts, caller, run, body)
          : rerunWorkflow(parts, caller, run))
      : await (run.isTest ? playAgain : enqueueAgain)(parts, caller, run)
  await database
    .transaction(({ write }) => write.audit.append(auditedRun(caller, run, 'repeated', { runId: started })))
    .catch((error: unknown) => onUnaudited(error, started))
  return { runId: started, kind: run.kind }
}

type AgentStart = Exclude<RepeatableRun, { kind: 'workflow' }>
type WorkflowStart = Extract<RepeatableRun, { kind: 'workflow' }>

async function enqueueAgain({ runner, now }: RerunParts, caller: BuilderCaller, run: AgentStart) {
  return (await runner.enqueue({ ...agentRequest(run, caller, now()), source: 'api_async' })).jobId
}

async function playAgain(parts: RerunParts, caller: BuilderCaller, run: AgentStart): Promise<string> {
  const { kind, entityId, versionId } = run
  const request = agentRequest(run, caller, parts.now())
  const owner = { kind, organizationId: caller.organizationId, id: entityId } as const
  const { number, name, description, config, configSchemaVersion } = await findVersion(
    parts,
    owner,
    versionId,
  )
  const content = { name, description, config }
  // A draft is stored again, so that it is kept as long as the new run.
  const tried =
    number === null ? await keepDraft(parts, caller, owner, { content, configSchemaVersion }) : versionId
  const started = await parts.runner.stream(
    { ...request, versionId: checkedId(RUNNABLE_IDS[kind].version, tried), source: 'playground' },
    () => {},
  )
  return started.runId
}

/** Tests the graph of the run, or the draft, with the run's input; with a step in `from`, also with its results. */
async function testAgain(
  { database, graphs, workflows: runner, now }: RerunParts,
  caller: BuilderCaller,
  { runId, entityId, versionId }: WorkflowStart,
  { on = 'version', from, draftRevision, allowEffects, cancelOldest = false }: RerunBody,
): Promise<WorkflowRunId> {
  const parts = { database, graphs, runner, now }
  const isOfDraft = on === 'draft'
  const workflow = isOfDraft
    ? await testedDraft(parts, caller, entityId, draftRevision)
    : await findWorkflow(database.read.workflows.byId, caller, entityId)
  const prepared = await prepareTest(parts, caller, {
    workflow,
    graph: isOfDraft
      ? workflow.draft
      : await database.read.workflows.versionGraph(caller.organizationId, versionId),
    scope: from ? { kind: 'from', nodeId: from.nodeId, path: from.path ?? null } : { kind: 'all' },
    seeds: { fromRunId: runId },
    ...(allowEffects !== undefined && { allowEffects }),
  })
  const started = await startPreparedTest(parts, caller, prepared, {
    versionId: isOfDraft ? null : versionId,
    cancelOldest,
  })
  return checkedId(WorkflowRunId, started.executionId)
}

/** Without its own trigger, a run would start every branch of the graph. */
async function rerunWorkflow(
  { database, graphs, workflows, now }: RerunParts,
  caller: BuilderCaller,
  run: WorkflowStart,
): Promise<WorkflowRunId> {
  const createdAt = now()
  const published = () => findWorkflow(database.read.workflows.byId, caller, run.entityId)
  return withCurrentVersion(await published(), published, async ({ activeDeployment }) => {
    const versionId = publishedVersion(activeDeployment)
    const graph = await graphs.compiled(caller.organizationId, versionId)
    if (graph && !hasTriggerOf(graph, runStartOf(run))) {
      throw new DomainError(
        'invalid_state',
        'The published version no longer has the trigger that started this run.',
      )
    }
    const { runId } = await workflows.start({ ...workflowRequest(run, caller, createdAt), versionId })
    return runId
  })
}

function agentRequest(
  { kind, entityId, input, tag }: AgentStart,
  caller: BuilderCaller,
  acceptedAt: number,
): Omit<RunRequest, 'source'> {
  if (input === null) {
    throw new DomainError('invalid_state', 'The run cannot be repeated: its texts are not kept.')
  }
  return {
    ...{ scope: caller, kind, entityId, tag, acceptedAt },
    apiKeyId: null,
    startedByUserId: caller.userId,
    message: input,
    sessionId: null,
    userId: null,
    includeMessages: false,
    toolContext: {},
    output: null,
    idempotency: null,
  }
}

/**
 * A run that a schedule started is repeated as if a person had started it at its trigger, with the same value: a run
 * with the schedule as its source would delay or cancel the schedule's next fire.
 */
function workflowRequest(
  { entityId, source, firedNodeId, input }: WorkflowStart,
  caller: BuilderCaller,
  createdAt: number,
): WorkflowRunRequest {
  return {
    ...{ source: source === 'schedule' ? 'builder' : source, firedNodeId, input, createdAt },
    scheduledFor: null,
    scope: caller,
    workflowId: entityId,
    versionId: null,
    apiKeyId: null,
    startedByUserId: caller.userId,
    idempotency: null,
  }
}
