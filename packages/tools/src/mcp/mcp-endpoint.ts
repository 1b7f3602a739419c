import type { CredentialId, McpServerId, OrganizationId, ProjectId } from '@troupe/contract'
import type { HttpEndpoint } from './client/streamable-http.ts'

/** The address of an MCP server, and the headers of every request to it. */
export interface McpEndpoint extends HttpEndpoint {
  /** The forms of a credential that are hidden, however short they are. */
  secrets: readonly string[]
  /** Values of a run's context in the headers, which are hidden unless they are as short as ordinary words. */
  values?: readonly string[]
}

/** A registered MCP server. */
export interface McpServer {
  id: McpServerId
  slug: string
  name: string
  projectId: ProjectId | null
  url: string
  /** Sent with every request. */
  credentialId: CredentialId | null
}

/** A tool as a server offers it. */
export interface OfferedDefinition {
  name: string
  /** A hash of the description and the input schema, which are all that a model reads of the tool. */
  fingerprint: string
  /** The tool's texts for models, in a form for people, shortened. */
  definition: string
}

/** Port: the registered servers of organizations. */
export interface McpServers {
  /** null if the organization has none with this id. */
  byId(organizationId: OrganizationId, serverId: McpServerId): Promise<McpServer | null>
  /**
   * Compares the offered tools of a server with the ones first seen or confirmed, and stores new ones as seen. Returns
   * the names of changed tools.
   */
  changedTools(
    organizationId: OrganizationId,
    serverId: McpServerId,
    offered: readonly OfferedDefinition[],
  ): Promise<readonly string[]>
}

/** A server cannot be used; the message is for callers and logs. */
export class McpUnavailable extends Error {
  override readonly name = 'McpUnavailable'
}
