import type { Scope } from '@troupe/agents/ports'
import type { TeamVersion } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { findTeam } from './find-team.ts'
import { presentTeamVersion } from './present-team.ts'

/**
 * One page of the versions of a team, newest first; the newest is its current state.
 *
 * @throws DomainError `team_not_found` or `forbidden`
 */
export async function listTeamVersions(
  { teams }: Pick<Readers, 'teams'>,
  scope: Scope,
  teamId: string,
  { page = 1, limit = 20 }: { page?: number; limit?: number } = {},
): Promise<{ data: TeamVersion[]; total: number; page: number; limit: number }> {
  const team = await findTeam((organizationId, id) => teams.byId(organizationId, id), scope, teamId)
  const { rows, total } = await teams.versions(scope.organizationId, team.id, { page, limit })
  return { data: rows.map(presentTeamVersion), total, page, limit }
}
