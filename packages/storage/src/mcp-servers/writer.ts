import { and, eq, ne, sql } from 'drizzle-orm'
import { mcpServers as servers, mcpServerTools as tools } from '../tables/configuration/mcp-servers.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { McpServerWriter } from './port.ts'

const UNCHANGED = { changedFingerprint: null, changedDefinition: null, changedAt: null }

/** A value for a tool whose definition differs from the confirmed one, else null. */
const ifChanged = (value: ReturnType<typeof sql>) =>
  sql`CASE WHEN excluded.fingerprint <> ${tools.fingerprint} THEN ${value} END`

export function mcpServerWriter({ db }: WriteContext): McpServerWriter {
  return {
    async insert(record) {
      await db.insert(servers).values(record)
    },
    async update({ id, organizationId, ...columns }) {
      const isIt = and(eq(servers.organizationId, organizationId), eq(servers.id, id))
      const [moved] = await db
        .select({ id: servers.id })
        .from(servers)
        .where(and(isIt, ne(servers.url, columns.url)))
        .for('update')
      if (moved) {
        await db.delete(tools).where(and(eq(tools.organizationId, organizationId), eq(tools.serverId, id)))
      }
      const rows = await db
        .update(servers)
        .set({ ...columns, version: sql`${servers.version} + 1`, updatedAt: sql`now()` })
        .where(isIt)
        .returning({ id: servers.id })
      onlyRow(rows, `MCP server ${id} in this organization`)
    },
    async delete(organizationId, id) {
      await db.delete(servers).where(and(eq(servers.organizationId, organizationId), eq(servers.id, id)))
    },
    async recordTools(organizationId, serverId, offered) {
      // Sorted, so that concurrent runs do not deadlock.
      const rows = offered
        .map(({ name, fingerprint, definition }) => ({
          organizationId,
          serverId,
          name,
          fingerprint,
          definition,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      await db
        .insert(tools)
        .values(rows)
        .onConflictDoUpdate({
          target: [tools.serverId, tools.name],
          set: {
            // A previous version truncated definitions and stored them under the same fingerprints.
            definition: sql`CASE WHEN excluded.fingerprint = ${tools.fingerprint} THEN excluded.definition ELSE ${tools.definition} END`,
            changedFingerprint: ifChanged(sql`excluded.fingerprint`),
            changedDefinition: ifChanged(sql`excluded.definition`),
            changedAt: ifChanged(sql`now()`),
          },
        })
    },
    async confirmTool(organizationId, serverId, { name, fingerprint }) {
      const rows = await db
        .update(tools)
        .set({ fingerprint, definition: sql`${tools.changedDefinition}`, ...UNCHANGED })
        .where(
          and(
            eq(tools.organizationId, organizationId),
            eq(tools.serverId, serverId),
            eq(tools.name, name),
            eq(tools.changedFingerprint, fingerprint),
          ),
        )
        .returning({ name: tools.name })
      return rows.length > 0
    },
  }
}
