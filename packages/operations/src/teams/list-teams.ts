import type { Scope } from '@troupe/agents/ports'
import type { ListTeamsQuery, Team } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { presentTeam } from './present-team.ts'

/**
 * One page of teams, newest first. A project scope sees its own project only, whatever the query asks.
 *
 * @throws DomainError `project_not_found`
 */
export async function listTeams(
  read: Pick<Readers, 'teams' | 'projects'>,
  scope: Scope,
  query: ListTeamsQuery,
): Promise<{ data: Team[]; total: number; page: number; limit: number }> {
  const { page = 1, limit = 20 } = query
  const projectId = requestedProject(scope, query.projectId)
  if (scope.projectId === null && projectId !== null) {
    await requireProject(read, scope.organizationId, projectId)
  }
  const { rows, total } = await read.teams.page(scope, { projectId, page, limit })
  return { data: rows.map(presentTeam), total, page, limit }
}
