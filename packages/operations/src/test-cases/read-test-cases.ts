import { DomainError, type IdText, parseId, TestCaseId, type WorkflowId } from '@troupe/contract'
import type { TestCase, TestCaseDetails } from '@troupe/contract/builder'
import { parseGraph } from '@troupe/graph'
import type { Readers, TestCaseRecord, TestCaseSummary, WorkflowRecord } from '@troupe/storage'
import { traceSecretsOf, traceValue } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { contentHash } from '../test-runs/start-test-run.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { presentTestCase, type TestedDraft } from './present-test-case.ts'
import { type SettleParts, settleTestCases } from './settle-test-cases.ts'

/** The path of a test case, unchecked. */
export interface TestCasePath {
  workflowId: IdText<WorkflowId>
  testCaseId: IdText<TestCaseId>
}

/** The draft that results of test cases are compared with. */
export function testedDraftOf({ draft, draftRevision }: WorkflowRecord): TestedDraft {
  let hash: string | null | undefined
  return {
    revision: draftRevision,
    hash() {
      if (hash === undefined) {
        const parsed = parseGraph(draft)
        hash = parsed.ok ? contentHash(parsed.value) : null
      }
      return hash
    },
  }
}

export function testCaseNotFound(): DomainError {
  return new DomainError('test_case_not_found', 'Test case not found in this workflow.')
}

/** The case with the id in the path. @throws DomainError `test_case_not_found` */
export async function findTestCase(
  { testCases }: Pick<Readers, 'testCases'>,
  { organizationId, id }: Pick<WorkflowRecord, 'organizationId' | 'id'>,
  testCaseId: IdText<TestCaseId>,
): Promise<TestCaseRecord> {
  const key = parseId(TestCaseId, testCaseId)
  const found = key && (await testCases.byId(organizationId, id, key))
  if (!found) throw testCaseNotFound()
  return found
}

/**
 * The cases of a workflow. First writes the verdicts on tests that have ended.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function listTestCases(
  parts: SettleParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<{ data: TestCase[] }> {
  const { read } = parts.database
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  await settleTestCases(parts, caller.organizationId, workflow.id)
  const draft = testedDraftOf(workflow)
  const cases = await read.testCases.list(caller.organizationId, workflow.id)
  return { data: cases.map((one) => presentTestCase(one, draft)) }
}

/** One case with its payload. @throws DomainError `workflow_not_found`, `test_case_not_found` */
export async function getTestCase(
  parts: SettleParts,
  caller: BuilderCaller,
  { workflowId, testCaseId }: TestCasePath,
): Promise<TestCaseDetails> {
  const { read } = parts.database
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const stored = await findTestCase(read, workflow, testCaseId)
  await settleTestCases(parts, caller.organizationId, workflow.id)
  const shown = await shownTestCase(read, workflow, stored.id)
  const secrets = traceSecretsOf(null, stored.payload, stored.secretNames)
  return { ...shown, payload: traceValue(stored.payload ?? null, secrets) }
}

/** A case as listed. @throws DomainError `test_case_not_found` if it has been deleted meanwhile */
export async function shownTestCase(
  { testCases }: Pick<Readers, 'testCases'>,
  workflow: WorkflowRecord,
  id: TestCaseId,
): Promise<TestCase> {
  const all: TestCaseSummary[] = await testCases.list(workflow.organizationId, workflow.id)
  const found = all.find((one) => one.id === id)
  if (!found) throw testCaseNotFound()
  return presentTestCase(found, testedDraftOf(workflow))
}
