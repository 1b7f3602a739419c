import { type ConfirmMcpToolsBody, DomainError, type FieldError, type McpServerTools } from '@troupe/contract'
import type { Actor, Database, McpServerRecord, McpToolRecord, Readers, Transaction } from '@troupe/storage'

/** An MCP server by its own slug and its organization's. */
type ServerSlugs = Pick<ConfirmMcpToolsBody, 'organization' | 'server'>

/** @throws DomainError `organization_not_found` or `mcp_server_not_found` */
async function findServer(
  read: Pick<Readers, 'organizations' | 'mcpServers'>,
  { organization: slug, server }: ServerSlugs,
): Promise<McpServerRecord> {
  const organization = await read.organizations.bySlug(slug)
  if (!organization) throw new DomainError('organization_not_found', 'Organization not found.')
  const servers = await read.mcpServers.list(organization.id)
  const found = servers.find((one) => one.slug === server)
  if (!found) throw new DomainError('mcp_server_not_found', `MCP server ${server} not found.`)
  return found
}

/** Tools of a server with their changes since they were first seen or confirmed. */
export function presentMcpTools(tools: readonly McpToolRecord[]): McpServerTools {
  return {
    data: tools.map(({ changed, ...tool }) => ({
      ...tool,
      changed: changed && { ...changed, at: changed.at.toISOString() },
    })),
  }
}

/**
 * The tools that a server has offered to agents, with their changes since they were first seen or confirmed.
 *
 * @throws DomainError `organization_not_found` or `mcp_server_not_found`
 */
export async function listMcpServerTools(
  { database: { read } }: { database: Pick<Database, 'read'> },
  slugs: ServerSlugs,
): Promise<McpServerTools> {
  const { organizationId, id } = await findServer(read, slugs)
  return presentMcpTools(await read.mcpServers.tools(organizationId, id))
}

/**
 * Confirms tools as shown: if one of them has changed again since, none is confirmed.
 *
 * @throws DomainError `organization_not_found`, `mcp_server_not_found` or `validation_error`
 */
export async function confirmMcpServerTools(
  { database }: { database: Pick<Database, 'transaction'> },
  actor: Actor,
  { tools, ...slugs }: ConfirmMcpToolsBody,
): Promise<McpServerTools> {
  return database.transaction(async (tx) => {
    const server = await findServer(tx.read, slugs)
    await confirmToolsOf(tx, actor, server, tools)
    return presentMcpTools(await tx.read.mcpServers.tools(server.organizationId, server.id))
  })
}

/**
 * Confirms tools of a server in a transaction of the caller.
 *
 * @throws DomainError `validation_error`, naming those whose current definition differs
 */
export async function confirmToolsOf(
  { write }: Pick<Transaction, 'write'>,
  actor: Actor,
  { organizationId, projectId, id }: McpServerRecord,
  tools: ConfirmMcpToolsBody['tools'],
): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, tool] of tools.entries()) {
    if (await write.mcpServers.confirmTool(organizationId, id, tool)) continue
    errors.push({
      path: `tools.${index}`,
      message: `is not a changed tool with this fingerprint: ${tool.name}`,
    })
  }
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'No tool was confirmed: list the tools again.', { errors })
  }
  await write.audit.append({
    organizationId,
    projectId,
    actor,
    action: 'mcp_server.tools_confirmed',
    entityKind: 'mcp_server',
    entityId: id,
    before: null,
    after: { tools: tools.map(({ name, fingerprint }) => ({ name, fingerprint })) },
  })
}
