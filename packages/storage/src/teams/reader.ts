import { and, asc, count, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { teamAgents, teams, teamVersions } from '../tables/configuration/teams.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { teamColumns, teamVersionColumns, toTeamVersionRecord } from './columns.ts'
import type { TeamReader } from './port.ts'

export function teamReader(db: Drizzle): TeamReader {
  return {
    async byId(organizationId, id) {
      const [row] = await db
        .select(teamColumns)
        .from(teams)
        .where(and(eq(teams.organizationId, organizationId), eq(teams.id, id)))
      return row ?? null
    },
    async byIds(organizationId, ids) {
      if (ids.length === 0) return []
      return db
        .select(teamColumns)
        .from(teams)
        .where(and(eq(teams.organizationId, organizationId), inArray(teams.id, [...ids])))
    },
    async page(scope, filter) {
      const projectId = scope.projectId ?? filter.projectId
      const where = and(
        eq(teams.organizationId, scope.organizationId),
        projectId === null ? undefined : eq(teams.projectId, projectId),
      )
      const rows = await db
        .select(teamColumns)
        .from(teams)
        .where(where)
        .orderBy(desc(teams.createdAt), desc(teams.id))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows, () => db.select({ total: count() }).from(teams).where(where))
    },
    async list(organizationId) {
      return db
        .select(teamColumns)
        .from(teams)
        .where(and(eq(teams.organizationId, organizationId), isNotNull(teams.slug)))
        .orderBy(asc(teams.slug))
    },
    async versionById(organizationId, versionId) {
      const [row] = await db
        .select(teamVersionColumns)
        .from(teamVersions)
        .innerJoin(teams, eq(teams.id, teamVersions.teamId))
        .where(and(eq(teamVersions.organizationId, organizationId), eq(teamVersions.id, versionId)))
      return row ? toTeamVersionRecord(row) : null
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
