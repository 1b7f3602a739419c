import type { Clock } from '@troupe/agents/ports'
import { isUuid, type QueryOf, type ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS, TeamDetails } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { teamNotFound } from '../errors/team-errors.ts'
import { overviewFilter } from '../versions/list-filter.ts'
import { presentTeamDetails, presentTeamSummary } from './present-team-overview.ts'

type ListTeams = (typeof BUILDER_OPERATIONS)['listTeams']

/** Dependencies of reading teams. */
export interface TeamReads {
  database: Pick<Database, 'overviews'>
  clock: Clock
}

/** One page of teams, in one statement. */
export async function listTeamSummaries(
  { database, clock }: TeamReads,
  { organizationId }: BuilderCaller,
  query: QueryOf<ListTeams>,
): Promise<ResultOf<ListTeams>> {
  const filter = overviewFilter(query)
  const { rows, total } = await database.overviews.teams(organizationId, filter, new Date(clock.now()))
  return { data: rows.map(presentTeamSummary), total, page: filter.page, limit: filter.limit }
}

/** The team with the id; null if the organization has none. */
export async function findTeamDetails(
  { database, clock }: TeamReads,
  { organizationId }: BuilderCaller,
  teamId: string,
): Promise<TeamDetails | null> {
  if (!isUuid(teamId)) return null
  const found = await database.overviews.team(organizationId, teamId, new Date(clock.now()))
  return found && presentTeamDetails(found)
}

/** @throws DomainError `team_not_found` */
export async function getTeamDetails(
  parts: TeamReads,
  caller: BuilderCaller,
  teamId: string,
): Promise<TeamDetails> {
  const found = await findTeamDetails(parts, caller, teamId)
  if (!found) throw teamNotFound()
  return found
}
