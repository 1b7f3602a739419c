import type { OrganizationId, ProjectId } from '@troupe/contract'

/** Where an MCP server is, and what goes with every request to it. */
export interface McpEndpoint {
  url: string
  /** May hold credentials: never logged, and hidden in results. */
  headers: Readonly<Record<string, string>>
}

/** A registered MCP server. */
export interface McpServer {
  id: string
  slug: string
  name: string
  projectId: ProjectId | null
  url: string
  headers: Readonly<Record<string, string>>
}

/** Port: the registered servers of organizations. */
export interface McpServers {
  /** null when the organization has none of this id. */
  byId(organizationId: OrganizationId, serverId: string): Promise<McpServer | null>
  /**
   * Compares the tools that a server offers with those that were first seen or confirmed, and stores new ones as seen.
   * Returns the names of the tools that have changed since.
   *
   * @param fingerprints By the tools' names.
   */
  changedTools(
    organizationId: OrganizationId,
    serverId: string,
    fingerprints: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>
}

/** Organizations have no registered servers. */
export const NO_MCP_SERVERS: McpServers = { byId: async () => null, changedTools: async () => [] }

/** A server cannot be used; the message is for callers and logs. */
export class McpUnavailable extends Error {
  override readonly name = 'McpUnavailable'
}
