import {
  DomainError,
  type IdText,
  invalidField,
  jsonBytes,
  type NewId,
  parseId,
  TestCaseId,
  type WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import {
  type CreateTestCaseBody,
  MAX_TEST_CASES,
  type TestCase,
  type UpdateTestCaseBody,
} from '@troupe/contract/builder'
import type {
  AuditEntry,
  Database,
  StoredExpectation,
  StoredMock,
  TestCaseRecord,
  Transaction,
  WorkflowRecord,
} from '@troupe/storage'
import { runStartOf, traceSecretsOf } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { requireVersion } from '../changes/require-version.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { payloadOf } from '../test-runs/prepare-test.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { findTestCase, shownTestCase, type TestCasePath } from './read-test-cases.ts'

/** Dependencies of changes of test cases. */
export interface ChangeTestCaseParts {
  database: Pick<Database, 'read' | 'transaction' | 'observed'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
  newId: NewId
}

const KB = 1024
const MOST_EXPECTED_BYTES = 64 * KB
const MOST_PAYLOAD_BYTES = KB * KB
const MOST_MOCKS = { bytes: 4 * KB * KB, count: 1_000 }

/** A change of a case for the audit log, without the values of its run. */
function audited(
  { organizationId, actor }: BuilderCaller,
  { projectId, id: workflowId }: WorkflowRecord,
  before: TestCaseRecord | null,
  after: TestCaseRecord | null,
): AuditEntry {
  const told = (one: TestCaseRecord | null) =>
    one && {
      workflowId,
      name: one.name,
      blocking: one.blocking,
      version: one.version,
      status: one.expectation.status,
    }
  const verb = before === null ? 'created' : after === null ? 'deleted' : 'updated'
  return {
    organizationId,
    projectId,
    actor,
    action: `workflow_test_case.${verb}`,
    entityKind: 'workflow_test_case',
    entityId: (before ?? after)?.id ?? '',
    before: told(before),
    after: told(after),
  }
}

/** Changes the cases of a workflow under its lock: a publish sees the change, or the change waits for the publish. */
async function changing<T>(
  { database }: Pick<ChangeTestCaseParts, 'database'>,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  change: (workflow: WorkflowRecord, tx: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const { organizationId } = caller
    const workflow = await findWorkflow(
      (_, id) => tx.write.workflows.lock(organizationId, id),
      caller,
      workflowId,
    )
    return change(workflow, tx)
  })
}

/** The parts of a case that come from a run. */
type FromRun = Pick<
  TestCaseRecord,
  'triggerNodeId' | 'payload' | 'mocks' | 'secretNames' | 'expectation' | 'fromRunId'
>

/** @throws DomainError `run_not_found`, `not_finished`, `validation_error` */
async function fromRun(
  { database, graphs }: ChangeTestCaseParts,
  { organizationId }: BuilderCaller,
  workflow: WorkflowRecord,
  givenId: IdText<WorkflowRunId>,
): Promise<FromRun> {
  const runId = parseId(WorkflowRunId, givenId)
  const source = runId && (await database.observed.testSource(organizationId, runId, ['']))
  if (!runId || !source || source.workflowId !== workflow.id) {
    throw new DomainError('run_not_found', 'Run not found in this workflow.')
  }
  if (source.traceErased) {
    throw invalidField('fromRunId', 'is a run whose values retention has erased: choose a newer one')
  }
  const trace = await database.observed.run(organizationId, runId, { nodes: 1 })
  if (trace?.kind !== 'workflow') throw new DomainError('run_not_found', 'Run not found in this workflow.')
  const graph = await graphs.compiled(organizationId, source.versionId)
  const effects = [...(graph?.nodes.values() ?? [])].flatMap(({ id, role }) => (role === 'effect' ? id : []))
  const mocks = await database.read.testCases.resultsOf(organizationId, runId, effects, MOST_MOCKS)
  if (mocks === null) {
    throw invalidField(
      'fromRunId',
      'has results of more than 4 MB, or of more than 1,000 steps with effects: choose a smaller run',
    )
  }
  const payload = payloadOf({}, source)
  if (jsonBytes(payload, MOST_PAYLOAD_BYTES) > MOST_PAYLOAD_BYTES) {
    throw invalidField('fromRunId', 'was started with more than 1 MB: choose a smaller run')
  }
  const trigger = source.steps.find(({ nodeId, path }) => {
    return path === '' && graph?.nodes.get(nodeId)?.role === 'trigger'
  })
  return {
    triggerNodeId: source.firedNodeId ?? trigger?.nodeId ?? null,
    payload,
    mocks,
    secretNames: [...traceSecretsOf(graph, runStartOf(source), source.secretNames).names],
    expectation: expectationOf(source.status, trace.workflowRun.output),
    fromRunId: runId,
  }
}

/** The end of a run as an expectation, with its output if that is small enough to be compared. */
function expectationOf(status: string, output: unknown): StoredExpectation {
  switch (status) {
    case 'completed': {
      const fits = jsonBytes(output ?? null, MOST_EXPECTED_BYTES) <= MOST_EXPECTED_BYTES
      return { status, output: fits ? { kind: 'equals', value: output ?? null } : null }
    }
    case 'failed':
    case 'loop_limit_reached':
    case 'policy_blocked':
      return { status, output: null }
    case 'cancelled':
    case 'concurrency_limit_reached':
      throw invalidField('fromRunId', 'was cancelled or refused: choose a run that was not stopped')
    default:
      throw new DomainError('not_finished', 'The run has not finished yet.')
  }
}

/**
 * Makes a test case from an ended run.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `run_not_found`, `not_finished`
 */
export async function createTestCase(
  parts: ChangeTestCaseParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { fromRunId, name, blocking = false }: CreateTestCaseBody,
): Promise<TestCase> {
  const { organizationId } = caller
  const { read } = parts.database
  const found = await findWorkflow(read.workflows.byId, caller, workflowId)
  const given = await fromRun(parts, caller, found, fromRunId.toLowerCase())
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const { length } = await tx.read.testCases.list(organizationId, workflow.id)
    if (length >= MAX_TEST_CASES) {
      throw invalidField('fromRunId', `would be one case too many: a workflow has ${MAX_TEST_CASES} at most`)
    }
    const id: TestCaseId = parts.newId(TestCaseId)
    const record: TestCaseRecord = {
      ...given,
      id,
      organizationId,
      workflowId: workflow.id,
      name: name ?? `Case ${length + 1}`,
      blocking,
      version: 1,
    }
    requireShownName(name, { name: '' })
    await tx.write.testCases.insert(record)
    await tx.write.audit.append(audited(caller, workflow, null, record))
    return shownTestCase(tx.read, workflow, id)
  })
}

/** @throws DomainError `validation_error` */
function checked({ expect, payload }: UpdateTestCaseBody): void {
  if (expect?.output && jsonBytes(expect.output.value, MOST_EXPECTED_BYTES) > MOST_EXPECTED_BYTES) {
    throw invalidField('expect.output.value', 'must have at most 64 KB')
  }
  if (payload !== undefined && jsonBytes(payload, MOST_PAYLOAD_BYTES) > MOST_PAYLOAD_BYTES) {
    throw invalidField('payload', 'must have at most 1 MB')
  }
}

/**
 * Changes a test case, which must then pass again before a draft can be published.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `test_case_not_found`, `version_conflict`
 */
export async function updateTestCase(
  parts: ChangeTestCaseParts,
  caller: BuilderCaller,
  { workflowId, testCaseId }: TestCasePath,
  body: UpdateTestCaseBody,
): Promise<TestCase> {
  checked(body)
  const { name, payload, expect, blocking, removeMocks = [] } = body
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const before = await findTestCase(tx.read, workflow, testCaseId)
    await requireVersion(tx.read, caller, { kind: 'workflow_test_case', ...before }, body.version)
    requireShownName(name, before)
    const removed = new Set(removeMocks)
    const mocks: StoredMock[] = before.mocks.filter(({ nodeId }) => !removed.has(nodeId))
    const after: TestCaseRecord = {
      ...before,
      mocks,
      name: name ?? before.name,
      payload: payload === undefined ? before.payload : payload,
      expectation: expect ?? before.expectation,
      blocking: blocking ?? before.blocking,
      version: before.version + 1,
    }
    await tx.write.testCases.update(after)
    await tx.write.audit.append(audited(caller, workflow, before, after))
    return shownTestCase(tx.read, workflow, after.id)
  })
}

/** @throws DomainError `workflow_not_found`, `test_case_not_found` */
export async function deleteTestCase(
  parts: ChangeTestCaseParts,
  caller: BuilderCaller,
  { workflowId, testCaseId }: TestCasePath,
): Promise<null> {
  return changing(parts, caller, workflowId, async (workflow, tx) => {
    const before = await findTestCase(tx.read, workflow, testCaseId)
    await tx.write.testCases.delete(caller.organizationId, before.id)
    await tx.write.audit.append(audited(caller, workflow, before, null))
    return null
  })
}
