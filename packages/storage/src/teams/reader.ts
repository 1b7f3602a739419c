import { and, asc, eq } from 'drizzle-orm'
import { storedReader } from '../runnables/stored-reader.ts'
import { STORED } from '../runnables/stored-tables.ts'
import { teamAgents, teams, teamVersions } from '../tables/configuration/teams.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { TeamReader } from './port.ts'

export function teamReader(db: Drizzle): TeamReader {
  return {
    ...storedReader(db, 'team'),
    async versionById(organizationId, versionId) {
      const { id, name, description, config, configSchemaVersion } = teamVersions
      const [row] = await db
        .select({ ...STORED.team.columns, versionId: id, name, description, config, configSchemaVersion })
        .from(teamVersions)
        .innerJoin(teams, eq(teams.id, teamVersions.teamId))
        .where(and(eq(teamVersions.organizationId, organizationId), eq(teamVersions.id, versionId)))
      return row ?? null
    },
    async teamsOf(organizationId, agentId) {
      return db
        .select({ teamId: teams.id, projectId: teams.projectId, name: teams.name, role: teamAgents.role })
        .from(teamAgents)
        .innerJoin(teams, eq(teams.id, teamAgents.teamId))
        .where(and(eq(teamAgents.organizationId, organizationId), eq(teamAgents.agentId, agentId)))
        .orderBy(asc(teams.name), asc(teams.id))
    },
  }
}
