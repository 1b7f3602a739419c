import { getTableColumns } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import { teams } from '../tables/configuration/teams.ts'

const { versionNumber: _ofAgent, ...agentColumns } = getTableColumns(agents)
const { versionNumber: _ofTeam, ...teamColumns } = getTableColumns(teams)

/** The two tables, with their columns as callers see them. Only agents have a status. */
export const STORED = {
  agent: { table: agents, columns: agentColumns },
  team: { table: teams, columns: teamColumns },
}
