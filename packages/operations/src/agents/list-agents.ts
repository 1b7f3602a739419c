import type { Scope } from '@troupe/agents/ports'
import type { OPERATIONS, QueryOf, ResultOf } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { presentAgent } from '../runnables/present-runnable.ts'

type ListAgents = (typeof OPERATIONS)['listAgents']

/**
 * One page of agents, newest first. A project scope sees only its own project, regardless of the filter.
 *
 * @throws DomainError `project_not_found`
 */
export async function listAgents(
  read: Pick<Readers, 'agents' | 'projects'>,
  scope: Scope,
  query: QueryOf<ListAgents>,
): Promise<ResultOf<ListAgents>> {
  const { page = 1, limit = 20, status = null } = query
  const projectId = requestedProject(scope, query.project_ref_id)
  if (scope.projectId === null && projectId !== null) {
    await requireProject(read, scope.organizationId, projectId)
  }
  const { rows, total } = await read.agents.page(scope, { status, projectId, page, limit })
  return { data: rows.map(presentAgent), total, page, limit }
}
