import type { McpServerId, OrganizationId } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import type { McpServer, McpServers, OfferedDefinition } from '@troupe/tools'

/** Maximum stored tools per server: further new ones are omitted, so that an endless list cannot fill the database. */
const MAX_STORED_TOOLS = 1_000

/** The registered MCP servers as tools use them. */
export class StoredMcpServers implements McpServers {
  readonly #database: Pick<Database, 'read' | 'transaction'>

  constructor(database: Pick<Database, 'read' | 'transaction'>) {
    this.#database = database
  }

  byId(organizationId: OrganizationId, serverId: McpServerId): Promise<McpServer | null> {
    return this.#database.read.mcpServers.byId(organizationId, serverId)
  }

  async changedTools(
    organizationId: OrganizationId,
    id: McpServerId,
    offered: readonly OfferedDefinition[],
  ): Promise<string[]> {
    const stored = await this.#database.read.mcpServers.tools(organizationId, id)
    const known = new Map(stored.map((tool) => [tool.name, tool.changed ?? tool]))
    const room = MAX_STORED_TOOLS - known.size
    const added = offered.filter(({ name }) => !known.has(name))
    const other = offered.filter(({ name, fingerprint, definition }) => {
      const former = known.get(name)
      // An earlier version stored truncated definitions under the fingerprints of the complete ones.
      return former && (former.fingerprint !== fingerprint || former.definition !== definition)
    })
    const tooMany = added.slice(Math.max(0, room))
    const written = [...other, ...added.slice(0, Math.max(0, room))]
    const tools =
      written.length === 0
        ? stored
        : await this.#database.transaction(async ({ read, write }) => {
            await write.mcpServers.recordTools(organizationId, id, written)
            return read.mcpServers.tools(organizationId, id)
          })
    const changed = new Set(tools.flatMap((tool) => (tool.changed ? [tool.name] : [])))
    return [...offered.filter(({ name }) => changed.has(name)), ...tooMany].map(({ name }) => name)
  }
}
