import type { Scope } from '@troupe/agents/ports'
import { isUuid, type TeamId } from '@troupe/contract'
import type { TeamRecord } from '@troupe/storage'
import { teamForbidden, teamNotFound } from '../errors/team-errors.ts'

/** Reads a team in any project of an organization. */
export type ReadTeam = (organizationId: Scope['organizationId'], id: TeamId) => Promise<TeamRecord | null>

/**
 * The team with the id in the path, if the scope may access it.
 *
 * @throws DomainError `team_not_found`, or `forbidden` for a team outside the project of a project scope
 */
export async function findTeam(read: ReadTeam, scope: Scope, teamId: string): Promise<TeamRecord> {
  const team = isUuid(teamId) ? await read(scope.organizationId, teamId) : null
  if (!team) throw teamNotFound()
  if (scope.projectId !== null && team.projectId !== scope.projectId) throw teamForbidden()
  return team
}
