import type { Scope } from '@troupe/agents/ports'
import { type IdText, parseId, WorkflowId } from '@troupe/contract'
import type { WorkflowRecord } from '@troupe/storage'
import { workflowForbidden, workflowNotFound } from './workflow-errors.ts'

/** Reads a workflow in any project of an organization. */
export type ReadWorkflow = (
  organizationId: Scope['organizationId'],
  id: WorkflowId,
) => Promise<WorkflowRecord | null>

/**
 * The workflow with the id in the path, if the scope may access it.
 *
 * @throws DomainError `workflow_not_found`, or `forbidden` for a workflow outside the project of a project scope
 */
export async function findWorkflow(
  read: ReadWorkflow,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
): Promise<WorkflowRecord> {
  const key = parseId(WorkflowId, workflowId)
  const workflow = key && (await read(scope.organizationId, key))
  if (!workflow) throw workflowNotFound()
  if (scope.projectId !== null && workflow.projectId !== scope.projectId) throw workflowForbidden()
  return workflow
}
