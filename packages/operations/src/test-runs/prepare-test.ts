import {
  DomainError,
  type IdText,
  invalidField,
  parseId,
  type WorkflowFinding,
  type WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { PlanTestBody } from '@troupe/contract/builder'
import {
  type CompiledGraph,
  compileGraph,
  type Graph,
  type MissingReason,
  type PlannedStep,
  parseGraph,
  planTest,
  type Seed,
  type TestPlan,
  type TestScope,
  triggerValue,
} from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import type { Database, Readers, StoredMock, TestSource, WorkflowRecord } from '@troupe/storage'
import { runStartOf, traceSecretsOf } from '@troupe/workflows'
import type { CopiedSeed } from '@troupe/workflows/ports'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { checkGraph } from '../workflows/check-graph.ts'
import { requireRevision } from '../workflows/draft-revision.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { draftConflict } from '../workflows/workflow-errors.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { type Candidates, candidates, framesOf } from './test-seeds.ts'

/** Dependencies of plans of tests. */
export interface PlanTestParts {
  database: { read: Readers } & Pick<Database, 'observed'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

/** The request of a test, with its graph. */
export interface TestAsked extends Omit<PlanTestBody, 'draftRevision'> {
  workflow: WorkflowRecord
  graph: unknown
  /** Results of steps from a test case. */
  mocks?: readonly StoredMock[]
  /** Names of the password fields whose values the payload and the mocks may hold. */
  secretNames?: readonly string[]
}

/** A plan in which steps may also lack the output of a chosen handle. */
export interface PlanOfTest extends Omit<TestPlan, 'missing'> {
  missing: readonly (PlannedStep & { reason: MissingReason | { kind: 'no_output' } })[]
}

/** A validated and planned test. */
export interface PreparedTestRun {
  workflowId: WorkflowId
  /** null if the graph has no valid shape. */
  graph: Graph | null
  scope: TestScope
  plan: PlanOfTest
  /** Seeds to store with the test. */
  seeds: readonly (Seed | CopiedSeed)[]
  /** The findings that prevent the test. */
  findings: WorkflowFinding[]
  source: (TestSource & { runId: WorkflowRunId }) | null
  payload: unknown
  effects: boolean | readonly string[]
  secretNames: readonly string[]
}

const EMPTY_PLAN: PlanOfTest = {
  ...{ triggerId: null, fault: null, runs: [], recomputed: [], seeded: [], missing: [], unreached: [] },
  ...{ forced: [], effects: [], uses: [] },
}

const NO_CANDIDATES: Candidates = { seeds: [], unknown: new Set() }

/** The draft of a workflow in the revision that the caller read. @throws DomainError `workflow_not_found`, `draft_conflict` */
export async function testedDraft(
  { database }: PlanTestParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  draftRevision: number | undefined,
): Promise<WorkflowRecord> {
  requireRevision(caller.actor, draftRevision)
  const workflow = await findWorkflow(database.read.workflows.byId, caller, workflowId)
  if (draftRevision !== undefined && draftRevision !== workflow.draftRevision) {
    throw await draftConflict(database.read, workflow)
  }
  return workflow
}

/** @throws DomainError `run_not_found` */
async function sourceOf(
  { database }: PlanTestParts,
  caller: BuilderCaller,
  givenId: IdText<WorkflowRunId> | undefined,
  { workflow, frames }: { workflow: WorkflowRecord; frames: readonly string[] },
): Promise<PreparedTestRun['source']> {
  if (givenId === undefined) return null
  const runId = parseId(WorkflowRunId, givenId)
  const found = runId && (await database.observed.testSource(caller.organizationId, runId, frames))
  // The steps of another workflow differ, even with equal ids.
  if (!runId || !found || found.workflowId !== workflow.id) {
    throw new DomainError('run_not_found', 'Run not found in this workflow.')
  }
  return { ...found, runId }
}

function scopeOf(
  { kind, nodeId = null, path = null }: PlanTestBody['scope'],
  graph: CompiledGraph | null,
): TestScope {
  if (kind === 'all') {
    if (nodeId !== null) throw invalidField('scope.nodeId', 'must be absent for the kind "all"')
    return { kind, nodeId: null, path: null }
  }
  if (nodeId === null) throw invalidField('scope.nodeId', `is required for the kind "${kind}"`)
  if (graph && !graph.nodes.has(nodeId))
    throw invalidField('scope.nodeId', `names an unknown step: ${nodeId}`)
  return { kind, nodeId, path }
}

/** The requested trigger, else the one that started the source. */
function triggerOf(
  { triggerNodeId }: TestAsked,
  graph: CompiledGraph,
  source: TestSource | null,
): string | null {
  const isTrigger = (id: string) => graph.triggers.some((node) => node.id === id)
  if (triggerNodeId !== undefined && !isTrigger(triggerNodeId)) {
    throw invalidField('triggerNodeId', 'is not a trigger of the tested graph')
  }
  const started = source?.steps.find((step) => step.path === '' && isTrigger(step.nodeId))?.nodeId
  return triggerNodeId ?? source?.firedNodeId ?? started ?? null
}

/** The trigger's payload: the requested one, else that of the source, else none. */
export function payloadOf({ payload }: Pick<TestAsked, 'payload'>, source: TestSource | null): unknown {
  if (payload !== undefined) return payload
  return source === null ? {} : (triggerValue(runStartOf(source)) ?? {})
}

/** A plan in which a chosen handle without a known output counts as a missing result. */
function withUnknown(plan: TestPlan, unknown: ReadonlySet<Seed>): PlanOfTest {
  const nodeIds = new Set(plan.uses.flatMap((seed) => (unknown.has(seed) ? seed.nodeId : [])))
  const lacking = plan.seeded.filter(({ nodeId, origin }) => origin === 'typed' && nodeIds.has(nodeId))
  if (lacking.length === 0) return plan
  // A chosen handle means that the step should be reached, even if other steps decide that.
  const missing = lacking.map(({ nodeId, iterations }) => {
    return { nodeId, iterations, certain: true, reason: { kind: 'no_output' } as const }
  })
  return {
    ...plan,
    seeded: plan.seeded.filter((step) => !lacking.includes(step)),
    missing: [...plan.missing, ...missing],
  }
}

/** The findings that prevent a test: those of its steps, and those of edges at these steps. */
function findingsOf(
  all: readonly WorkflowFinding[],
  graph: Graph | null,
  plan: PlanOfTest,
): WorkflowFinding[] {
  const blocking = all.filter(({ severity }) => severity === 'block')
  if (graph === null) return blocking
  const tested = new Set([...plan.runs, ...plan.recomputed].map(({ nodeId }) => nodeId))
  const edges = new Map(graph.edges.map((edge) => [edge.id, edge]))
  return blocking.filter(({ nodeId, edgeId, code }) => {
    if (nodeId !== null) return tested.has(nodeId)
    const edge = edgeId === null ? undefined : edges.get(edgeId)
    if (edge) return tested.has(edge.source) || tested.has(edge.target)
    return code === 'graph_too_large' || code === 'schema'
  })
}

/** Names of the password fields of the source, whose values its results may hold. */
export async function secretNamesOf(
  { graphs }: PlanTestParts,
  { organizationId }: BuilderCaller,
  source: TestSource | null,
): Promise<string[]> {
  if (source === null) return []
  const graph = await graphs.compiled(organizationId, source.versionId)
  return [...traceSecretsOf(graph, null, source.secretNames).names]
}

/**
 * Checks and plans a test; nothing is written.
 *
 * @throws DomainError `validation_error`, `run_not_found`
 */
export async function prepareTest(
  parts: PlanTestParts,
  caller: BuilderCaller,
  asked: TestAsked,
): Promise<PreparedTestRun> {
  const { read } = parts.database
  const { workflow, seeds: given = {} } = asked
  const parsed = parseGraph(asked.graph)
  const graph = parsed.ok ? parsed.value : null
  const compiled = graph && compileGraph(graph, NODE_TYPES)
  const scope = scopeOf(asked.scope, compiled)
  const frames = compiled ? framesOf(compiled, scope) : []
  // Sample values of triggers are stored as pins, but a test has its own payload.
  const triggers = new Set(graph?.nodes.flatMap(({ id, type }) => (hasSampleFields(type) ? id : [])))
  const stored = given.usePins ? await read.pins.list(caller.organizationId, workflow.id) : []
  const pins = stored.filter(({ nodeId }) => !triggers.has(nodeId))
  const [source, checked] = await Promise.all([
    sourceOf(parts, caller, given.fromRunId, { workflow, frames }),
    checkGraph(read, caller, { projectId: workflow.projectId, draft: asked.graph }),
  ])
  const { seeds: all, unknown } = compiled
    ? candidates(compiled, scope, { ...given, stored: pins, mocks: asked.mocks }, source)
    : NO_CANDIDATES
  const plan = compiled
    ? withUnknown(planTest(compiled, scope, all, triggerOf(asked, compiled, source)), unknown)
    : EMPTY_PLAN
  const used = new Set(plan.uses)
  return {
    workflowId: workflow.id,
    ...{ graph, scope, plan, source },
    seeds: all.filter((seed) => used.has(seed)),
    findings: findingsOf(checked.findings, graph, plan),
    payload: payloadOf(asked, source),
    effects: asked.allowEffects ?? false,
    secretNames: [
      ...new Set([
        ...(asked.secretNames ?? []),
        ...pins.flatMap((pin) => pin.secretNames),
        ...(await secretNamesOf(parts, caller, source)),
      ]),
    ],
  }
}
