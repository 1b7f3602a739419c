import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId, WorkflowVersion } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { findWorkflow } from './find-workflow.ts'
import { presentWorkflowVersion } from './present-workflow.ts'

/**
 * One page of the published versions of a workflow, newest first.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function listWorkflowVersions(
  { workflows, builder }: Pick<Readers, 'workflows' | 'builder'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  { page = 1, limit = 20 }: { page?: number; limit?: number } = {},
): Promise<{ data: WorkflowVersion[]; total: number; page: number; limit: number }> {
  const workflow = await findWorkflow((...of) => workflows.byId(...of), scope, workflowId)
  const { rows, total } = await builder.workflowVersions.page(scope.organizationId, workflow.id, {
    page,
    limit,
  })
  const active = workflow.activeDeployment?.versionId ?? null
  return { data: rows.map((row) => presentWorkflowVersion(row, active)), total, page, limit }
}
