import { and, asc, count, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { agents, agentVersions } from '../tables/configuration/agents.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { agentColumns } from './columns.ts'
import type { AgentReader } from './port.ts'

export function agentReader(db: Drizzle): AgentReader {
  return {
    async byId(organizationId, id) {
      const [row] = await db
        .select(agentColumns)
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
      return row ?? null
    },
    async byIds(organizationId, ids) {
      if (ids.length === 0) return []
      return db
        .select(agentColumns)
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), inArray(agents.id, [...ids])))
    },
    async versionById(organizationId, versionId) {
      const { id, name, description, config, configSchemaVersion } = agentVersions
      const [row] = await db
        .select({ ...agentColumns, versionId: id, name, description, config, configSchemaVersion })
        .from(agentVersions)
        .innerJoin(agents, eq(agents.id, agentVersions.agentId))
        .where(and(eq(agentVersions.organizationId, organizationId), eq(agentVersions.id, versionId)))
      return row ?? null
    },
    async page(scope, filter) {
      const projectId = scope.projectId ?? filter.projectId
      const where = and(
        eq(agents.organizationId, scope.organizationId),
        projectId === null ? undefined : eq(agents.projectId, projectId),
        filter.status === null ? undefined : eq(agents.status, filter.status),
      )
      const rows = await db
        .select(agentColumns)
        .from(agents)
        .where(where)
        .orderBy(desc(agents.createdAt), desc(agents.id))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows, () => db.select({ total: count() }).from(agents).where(where))
    },
    async list(organizationId) {
      return db
        .select(agentColumns)
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), isNotNull(agents.slug)))
        .orderBy(asc(agents.slug))
    },
  }
}
