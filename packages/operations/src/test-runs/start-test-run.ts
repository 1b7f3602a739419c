import { createHash } from 'node:crypto'
import {
  type AcceptedWorkflowRun,
  DomainError,
  type FieldError,
  type IdText,
  type WorkflowId,
  type WorkflowVersionId,
} from '@troupe/contract'
import type { StartTestBody } from '@troupe/contract/builder'
import type { Graph } from '@troupe/graph'
import type { Database, Transaction } from '@troupe/storage'
import {
  type StartedRun,
  TestsInFlight,
  type WorkflowRunner,
  type WorkflowRunRequest,
} from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type PlanTestParts, type PreparedTestRun, prepareTest, testedDraft } from './prepare-test.ts'
import { missingMessage } from './present-plan.ts'

/** Dependencies of starts of tests. */
export interface StartTestParts extends PlanTestParts {
  database: PlanTestParts['database'] & Pick<Database, 'transaction'>
  runner: Pick<WorkflowRunner, 'startWithin' | 'send'>
  /** Milliseconds since the epoch. */
  now: () => number
}

/**
 * Hash of the same steps regardless of their positions. The order of keys in a node is included, because models see it.
 */
export function contentHash({ nodes, ...rest }: Graph): string {
  const placeless = nodes.map(({ position: _, ...node }) => node)
  return createHash('sha256')
    .update(JSON.stringify({ ...rest, nodes: placeless }))
    .digest('hex')
}

/** @throws DomainError `validation_error`, `seed_missing` */
function requireStartable({ graph, plan, findings }: PreparedTestRun): Graph {
  if (graph === null || findings.length > 0) {
    const errors: FieldError[] = findings.map(({ path, message }) => ({ path, message }))
    throw new DomainError('validation_error', 'The steps of this test have problems.', { errors })
  }
  if (plan.fault !== null) {
    const errors = [{ path: 'scope', message: plan.fault }]
    throw new DomainError('validation_error', 'The test would fail before its first step.', { errors })
  }
  const missing = plan.missing.filter(({ certain }) => certain)
  if (missing.length > 0) {
    const names = new Map(graph.nodes.map(({ id, name }) => [id, name]))
    const steps = missing.map(({ nodeId }) => `"${names.get(nodeId) ?? nodeId}"`)
    throw new DomainError('seed_missing', `The test needs results of ${steps.join(', ')}.`, {
      errors: missing.map((one) => ({ path: one.nodeId, message: missingMessage(one) })),
    })
  }
  return graph
}

/** The error when a person starts a fourth concurrent test. */
function tooManyTests([oldest]: TestsInFlight['runIds']): DomainError {
  return new DomainError(
    'too_many_tests',
    'You have three tests in flight. Wait for one of them, or cancel the oldest.',
    oldest === undefined ? {} : { executionId: oldest },
  )
}

/** Starts the test in place of the oldest one, if the person has agreed to that. */
async function startWithin(
  { runner }: StartTestParts,
  tx: Transaction,
  request: WorkflowRunRequest,
  cancelOldest: boolean,
): Promise<StartedRun> {
  const start = () => runner.startWithin(tx, request)
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof TestsInFlight)) throw error
    const [oldest] = error.runIds
    if (!cancelOldest || oldest === undefined) throw tooManyTests(error.runIds)
    const { organizationId } = request.scope
    await tx.workflowRuns.cancel({ organizationId, projectId: null, isTest: true }, oldest)
    return await start()
  }
}

/**
 * Starts a prepared test of a graph. `versionId` is that of a stored version; null: the graph is a draft, which is
 * stored with the test.
 *
 * @throws DomainError `validation_error`, `seed_missing`, `too_many_tests`, `concurrency_limit_reached`,
 * `execution_create_failed`
 */
export async function startPreparedTest(
  parts: StartTestParts,
  caller: BuilderCaller,
  prepared: PreparedTestRun,
  { versionId, cancelOldest = false }: { versionId: WorkflowVersionId | null; cancelOldest?: boolean },
): Promise<AcceptedWorkflowRun> {
  const graph = requireStartable(prepared)
  const { organizationId, actor: createdBy } = caller
  const { workflowId, scope, seeds, effects, secretNames, payload, plan } = prepared
  const createdAt = parts.now()
  const started = await parts.database.transaction(async (tx) => {
    const draft = { organizationId, id: workflowId, graph, contentHash: contentHash(graph), createdBy }
    const tested = versionId ?? (await tx.write.workflows.keepDraft(draft))
    const request: WorkflowRunRequest = {
      scope: { organizationId, projectId: null },
      workflowId,
      versionId: null,
      source: 'builder',
      firedNodeId: plan.triggerId,
      scheduledFor: null,
      input: payload,
      apiKeyId: null,
      startedByUserId: caller.userId,
      idempotency: null,
      test: { versionId: tested, scope, seeds, effects, secretNames },
      createdAt,
    }
    return startWithin(parts, tx, request, cancelOldest)
  })
  const { runId, rejected } = started
  if (rejected?.status === 'concurrency_limit_reached') {
    throw new DomainError('concurrency_limit_reached', rejected.error, { executionId: runId })
  }
  // After the commit: a turn that started earlier would not find the test.
  if (started.delivery) parts.runner.send(started.delivery)
  return { executionId: runId, workflowId, status: 'queued', createdAt: Math.floor(createdAt / 1000) }
}

/**
 * Starts a test of the draft, or of a part of it.
 *
 * @throws DomainError `workflow_not_found`, `draft_conflict`, `run_not_found`, and as {@link startPreparedTest}
 */
export async function startTestRun(
  parts: StartTestParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { draftRevision, cancelOldest = false, ...asked }: StartTestBody,
): Promise<AcceptedWorkflowRun> {
  const workflow = await testedDraft(parts, caller, workflowId, draftRevision)
  const prepared = await prepareTest(parts, caller, { ...asked, workflow, graph: workflow.draft })
  return startPreparedTest(parts, caller, prepared, { versionId: null, cancelOldest })
}
