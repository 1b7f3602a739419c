import type { IdText, McpServerId, OrganizationId } from '@troupe/contract'
import type { McpConnectionResult } from '@troupe/contract/builder'
import type { Database, McpServerRecord, OfferedMcpTool } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findMcpServer } from './find-mcp-server.ts'
import { StoredMcpServers } from './stored-mcp-servers.ts'

/** The current tools of a server, or why it cannot be used. */
type McpServerOffer =
  | {
      ok: true
      tools: readonly {
        name: string
        description: string
        inputSchema: Record<string, unknown>
        definition: OfferedMcpTool
      }[]
      leftOut: { name: string; reason: string }[]
    }
  | { ok: false; reason: string }

/** Port: requests the tools of a server, with its credential and by the guarded fetch. */
export interface AskedMcpServers {
  ask(organizationId: OrganizationId, server: McpServerRecord, signal: AbortSignal): Promise<McpServerOffer>
}

/** Dependencies of the operation. */
export interface ConnectMcpServerParts {
  database: Pick<Database, 'read' | 'transaction'>
  mcpDirectory: AskedMcpServers
  now: () => number
}

/** Maximum time for all requests to a server together. */
const MAX_MS = 20_000

/**
 * Requests the tools of a server, and stores new ones. An unusable server is a result, not an error.
 *
 * @throws DomainError `mcp_server_not_found`
 */
export async function connectMcpServer(
  { database, mcpDirectory, now }: ConnectMcpServerParts,
  { organizationId }: BuilderCaller,
  mcpServerId: IdText<McpServerId>,
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
