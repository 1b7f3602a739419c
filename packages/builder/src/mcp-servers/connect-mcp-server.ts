import type { McpConnectionResult } from '@troupe/builder-contract'
import type { Database } from '@troupe/database'
import { StoredMcpServers } from '@troupe/operations/mcp-servers/stored-mcp-servers'
import type { McpDirectory } from '@troupe/tools'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findMcpServer } from './find-mcp-server.ts'

/** What the operation uses. */
export interface ConnectMcpServerParts {
  database: Pick<Database, 'read' | 'transaction'>
  mcpDirectory: McpDirectory
  now: () => number
}

/** The longest wait for a server, with everything that it does. */
const MAX_MS = 20_000

/**
 * Asks a server for its tools, and stores those that are new. A server that cannot be used is an answer.
 *
 * @throws DomainError `mcp_server_not_found`
 */
export async function connectMcpServer(
  { database, mcpDirectory, now }: ConnectMcpServerParts,
  { organizationId }: BuilderCaller,
  mcpServerId: string,
): Promise<McpConnectionResult> {
  const server = await findMcpServer(database.read, organizationId, mcpServerId)
  const startedAt = now()
  const offered = await mcpDirectory.ask(organizationId, server, AbortSignal.timeout(MAX_MS))
  const ms = Math.max(0, Math.round(now() - startedAt))
  if (!offered.ok) return { ok: false, ms, error: offered.reason, tools: [], leftOut: [] }
  const changed = new Set(
    await new StoredMcpServers(database).changedTools(
      organizationId,
      server.id,
      offered.tools.map(({ definition }) => definition),
    ),
  )
  const tools = offered.tools.map(({ name, description, inputSchema, definition }) => ({
    name,
    description,
    inputSchema,
    fingerprint: definition.fingerprint,
    isChanged: changed.has(name),
  }))
  return { ok: true, ms, error: null, tools, leftOut: offered.leftOut }
}
