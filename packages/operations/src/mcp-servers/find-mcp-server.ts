import { DomainError, type IdText, McpServerId, type OrganizationId, parseId } from '@troupe/contract'
import type { McpServerDetails, RegisteredMcpServer } from '@troupe/contract/builder'
import type { McpServerRecord, McpServerRow, Readers } from '@troupe/storage'
import { presentMcpTools } from './server-tools.ts'

/** A server as a list shows it. */
export function presentMcpServer(row: McpServerRow): RegisteredMcpServer {
  const { id: mcpServerId, slug, name, projectId, projectName, url, toolCount, changedCount } = row
  return {
    mcpServerId,
    slug,
    name,
    projectId,
    projectName,
    url,
    credential: row.credentialId && { credentialId: row.credentialId, name: row.credentialName ?? '' },
    toolCount,
    changedCount,
    usedBy: row.usedBy,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The server with its tools. @throws DomainError `mcp_server_not_found` */
export async function showMcpServer(
  { builder, mcpServers }: Pick<Readers, 'builder' | 'mcpServers'>,
  organizationId: OrganizationId,
  mcpServerId: IdText<McpServerId>,
): Promise<McpServerDetails> {
  const id = parseId(McpServerId, mcpServerId)
  const row = id && (await builder.mcpServers.byId(organizationId, id))
  if (!row) throw mcpServerNotFound()
  const tools = await mcpServers.tools(organizationId, row.id)
  return { ...presentMcpServer(row), tools: presentMcpTools(tools).data }
}

/** @throws DomainError `mcp_server_not_found`, including for servers of other organizations */
export async function findMcpServer(
  { mcpServers }: Pick<Readers, 'mcpServers'>,
  organizationId: OrganizationId,
  mcpServerId: IdText<McpServerId>,
): Promise<McpServerRecord> {
  const id = parseId(McpServerId, mcpServerId)
  const found = id && (await mcpServers.byId(organizationId, id))
  if (!found) throw mcpServerNotFound()
  return found
}

function mcpServerNotFound(): DomainError {
  return new DomainError('mcp_server_not_found', 'MCP server not found in this organization.')
}
