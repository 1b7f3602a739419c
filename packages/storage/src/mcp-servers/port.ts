import type { CredentialId, McpServerId, OrganizationId, ProjectId } from '@troupe/contract'

/** An MCP server that the tools of agents may name. */
export interface McpServerRecord {
  id: McpServerId
  organizationId: OrganizationId
  /** null: of the organization. */
  projectId: ProjectId | null
  slug: string
  name: string
  /** Without the parts that a credential adds. */
  url: string
  credentialId: CredentialId | null
  /** Increases with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A tool as a server offers it. */
export interface OfferedMcpTool {
  name: string
  /** A hash of the description and the input schema: everything of the tool that a model reads. */
  fingerprint: string
  /** What a model reads of the tool, for people. */
  definition: string
}

/** A tool as it was first seen or last confirmed. */
export interface McpToolRecord extends OfferedMcpTool {
  /** As it is offered now; null while that is the same. */
  changed: { fingerprint: string; definition: string; at: Date } | null
}

export interface McpServerReader {
  /** All of an organization, oldest first. */
  list(organizationId: OrganizationId): Promise<McpServerRecord[]>
  /** null when the organization has no such server. */
  byId(organizationId: OrganizationId, id: McpServerId): Promise<McpServerRecord | null>
  /** Those that exist among those named, in no particular order. */
  byIds(organizationId: OrganizationId, ids: readonly McpServerId[]): Promise<McpServerRecord[]>
  /** Every tool that the server has offered to an agent, by name. */
  tools(organizationId: OrganizationId, id: McpServerId): Promise<McpToolRecord[]>
}

/** A server as it is written. */
export type NewMcpServer = Omit<McpServerRecord, 'version' | 'createdAt' | 'updatedAt'>

export interface McpServerWriter {
  insert(record: NewMcpServer): Promise<void>
  /** The tools of another URL are those of another server: what was confirmed is forgotten. */
  update(record: NewMcpServer): Promise<void>
  /** With its tools. */
  delete(organizationId: OrganizationId, id: McpServerId): Promise<void>
  /** Stores tools that are new, and what is offered now in place of known ones; of the same fingerprint, the definition as it is offered. */
  recordTools(
    organizationId: OrganizationId,
    id: McpServerId,
    offered: readonly OfferedMcpTool[],
  ): Promise<void>
  /** Confirms a changed tool as it was shown. False when it is no longer offered so. */
  confirmTool(
    organizationId: OrganizationId,
    id: McpServerId,
    tool: { name: string; fingerprint: string },
  ): Promise<boolean>
}
