import type { McpServerId, OrganizationId } from '@troupe/contract'
import type { mcpServers } from '../tables/configuration/mcp-servers.ts'

/** An MCP server that the tools of agents may name. */
export type McpServerRecord = typeof mcpServers.$inferSelect

/** A tool as a server offers it. */
export interface OfferedMcpTool {
  name: string
  /** A hash of the description and the input schema, which are all that a model reads of the tool. */
  fingerprint: string
  /** The same parts in readable form. */
  definition: string
}

/** A tool as it was first seen or last confirmed. */
export interface McpToolRecord extends OfferedMcpTool {
  /** The current definition if it differs; null if it does not. */
  changed: { fingerprint: string; definition: string; at: Date } | null
}

export interface McpServerReader {
  /** All of an organization, oldest first. */
  list(organizationId: OrganizationId): Promise<McpServerRecord[]>
  /** null when the organization has no such server. */
  byId(organizationId: OrganizationId, id: McpServerId): Promise<McpServerRecord | null>
  /** The existing ones among these ids, in no particular order. */
  byIds(organizationId: OrganizationId, ids: readonly McpServerId[]): Promise<McpServerRecord[]>
  /** Every tool that the server has offered to an agent, by name. */
  tools(organizationId: OrganizationId, id: McpServerId): Promise<McpToolRecord[]>
}

/** A server as it is written. */
export type NewMcpServer = Omit<McpServerRecord, 'version' | 'createdAt' | 'updatedAt'>

export interface McpServerWriter {
  insert(record: NewMcpServer): Promise<void>
  /** Another URL counts as another server: its confirmations are deleted. */
  update(record: NewMcpServer): Promise<void>
  /** Deletes the server with its tools. */
  delete(organizationId: OrganizationId, id: McpServerId): Promise<void>
  /** Stores new tools, and the current definition of known ones. With an equal fingerprint, the stored definition is updated. */
  recordTools(
    organizationId: OrganizationId,
    id: McpServerId,
    offered: readonly OfferedMcpTool[],
  ): Promise<void>
  /** Confirms a changed tool as shown. False if the server's current definition differs from the shown one. */
  confirmTool(
    organizationId: OrganizationId,
    id: McpServerId,
    tool: { name: string; fingerprint: string },
  ): Promise<boolean>
}
