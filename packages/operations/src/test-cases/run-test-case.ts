import { type AcceptedWorkflowRun, checkedId, WorkflowRunId } from '@troupe/contract'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { prepareTest, testedDraft } from '../test-runs/prepare-test.ts'
import { contentHash, type StartTestParts, startPreparedTest } from '../test-runs/start-test-run.ts'
import { findTestCase, type TestCasePath } from './read-test-cases.ts'

/**
 * Tests the whole draft with a test case. The verdict is written by the first read after the end of the run.
 *
 * The test is recorded in a separate transaction: a crash in between leaves an unrecorded test and an unchanged case.
 * The record contains the case's version and the draft's hash from before the start, so that a change in between makes
 * it the result of an older case or draft.
 *
 * @throws DomainError `workflow_not_found`, `test_case_not_found`, `draft_conflict`, and as {@link startPreparedTest}
 */
export async function runTestCase(
  parts: StartTestParts,
  caller: BuilderCaller,
  { workflowId, testCaseId }: TestCasePath,
  draftRevision: number | undefined,
): Promise<AcceptedWorkflowRun> {
  const { read } = parts.database
  const workflow = await testedDraft(parts, caller, workflowId, draftRevision)
  const { triggerNodeId, payload, mocks, secretNames, version, id } = await findTestCase(
    read,
    workflow,
    testCaseId,
  )
  const prepared = await prepareTest(parts, caller, {
    workflow,
    graph: workflow.draft,
    ...(triggerNodeId !== null && { triggerNodeId }),
    payload: payload ?? null,
    scope: { kind: 'all' },
    mocks,
    secretNames,
  })
  const started = await startPreparedTest(parts, caller, prepared, { versionId: null })
  const { graph } = prepared
  if (graph === null) throw new TypeError('A test of a draft without a valid shape was started.')
  await parts.database.transaction(({ write }) =>
    write.testCases.noteTest(caller.organizationId, id, {
      runId: checkedId(WorkflowRunId, started.executionId),
      caseVersion: version,
      draftRevision: workflow.draftRevision,
      contentHash: contentHash(graph),
      startedAt: new Date(parts.now()),
    }),
  )
  return started
}
