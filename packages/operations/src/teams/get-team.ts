import type { Scope } from '@troupe/agents/ports'
import type { Team } from '@troupe/contract'
import { findTeam, type ReadTeam } from './find-team.ts'
import { presentTeam } from './present-team.ts'

/** @throws DomainError `team_not_found` or `forbidden` */
export async function getTeam(read: ReadTeam, scope: Scope, teamId: string): Promise<Team> {
  return presentTeam(await findTeam(read, scope, teamId))
}
