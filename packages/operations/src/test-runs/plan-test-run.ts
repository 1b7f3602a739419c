import type { IdText, WorkflowId } from '@troupe/contract'
import type { PlanTestBody, TestRunPlan } from '@troupe/contract/builder'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type PlanTestParts, prepareTest, testedDraft } from './prepare-test.ts'
import { presentPlan } from './present-plan.ts'

/**
 * Plans a test of the draft.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `draft_conflict`, `run_not_found`
 */
export async function planTestRun(
  parts: PlanTestParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { draftRevision, ...asked }: PlanTestBody,
): Promise<TestRunPlan> {
  const workflow = await testedDraft(parts, caller, workflowId, draftRevision)
  const prepared = await prepareTest(parts, caller, { ...asked, workflow, graph: workflow.draft })
  return presentPlan(parts, caller, prepared, workflow.draftRevision)
}
