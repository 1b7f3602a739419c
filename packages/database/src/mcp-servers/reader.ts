import { mcpServers as servers, mcpServerTools as tools } from '@troupe/tables/configuration/mcp-servers'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Drizzle } from '../drizzle/drizzle.ts'
import type { McpServerReader } from './port.ts'

export function mcpServerReader(db: Drizzle): McpServerReader {
  return {
    async list(organizationId) {
      return db
        .select()
        .from(servers)
        .where(eq(servers.organizationId, organizationId))
        .orderBy(asc(servers.createdAt), asc(servers.id))
    },
    async byId(organizationId, id) {
      const isIt = and(eq(servers.organizationId, organizationId), eq(servers.id, id))
      const [row] = await db.select().from(servers).where(isIt)
      return row ?? null
    },
    async byIds(organizationId, ids) {
      if (ids.length === 0) return []
      const isOne = and(eq(servers.organizationId, organizationId), inArray(servers.id, [...ids]))
      return db.select().from(servers).where(isOne)
    },
    async tools(organizationId, id) {
      const ofServer = and(eq(tools.organizationId, organizationId), eq(tools.serverId, id))
      const rows = await db.select().from(tools).where(ofServer).orderBy(asc(tools.name))
      return rows.map(
        ({ name, fingerprint, definition, changedFingerprint, changedDefinition, changedAt }) => ({
          name,
          fingerprint,
          definition,
          changed:
            changedFingerprint !== null && changedDefinition !== null && changedAt !== null
              ? { fingerprint: changedFingerprint, definition: changedDefinition, at: changedAt }
              : null,
        }),
      )
    },
  }
}
