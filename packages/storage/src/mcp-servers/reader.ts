import type { OrganizationId } from '@troupe/contract'
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import { mcpServers as servers, mcpServerTools as tools } from '../tables/configuration/mcp-servers.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { McpServerReader } from './port.ts'

export function mcpServerReader(db: Drizzle): McpServerReader {
  const those = (organizationId: OrganizationId, where?: SQL) =>
    db
      .select()
      .from(servers)
      .where(and(eq(servers.organizationId, organizationId), where))
      .orderBy(asc(servers.createdAt), asc(servers.id))
  return {
    list: async (organizationId) => those(organizationId),
    byId: async (organizationId, id) => (await those(organizationId, eq(servers.id, id)))[0] ?? null,
    byIds: async (organizationId, ids) =>
      ids.length === 0 ? [] : those(organizationId, inArray(servers.id, [...ids])),
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
