import type { Scope } from '@troupe/agents/ports'
import type { ListWorkflowsQuery, WorkflowSummary } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { presentWorkflowSummary } from './present-workflow.ts'

/**
 * One page of workflows without their drafts, newest first. A project scope sees its own project only, whatever the
 * query asks.
 *
 * @throws DomainError `project_not_found`
 */
export async function listWorkflows(
  read: Pick<Readers, 'workflows' | 'projects'>,
  scope: Scope,
  query: ListWorkflowsQuery,
): Promise<{ data: WorkflowSummary[]; total: number; page: number; limit: number }> {
  const { page = 1, limit = 20 } = query
  const projectId = requestedProject(scope, query.projectId)
  if (scope.projectId === null && projectId !== null) {
    await requireProject(read, scope.organizationId, projectId)
  }
  const { rows, total } = await read.workflows.page(scope, { projectId, page, limit })
  return { data: rows.map(presentWorkflowSummary), total, page, limit }
}
