import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import {
  type ChangeMcpServerParts,
  createMcpServer,
  deleteMcpServer,
  updateMcpServer,
} from './change-mcp-server.ts'
import { type ConnectMcpServerParts, connectMcpServer } from './connect-mcp-server.ts'
import { findMcpServer, presentMcpServer, showMcpServer } from './find-mcp-server.ts'
import { confirmToolsOf } from './server-tools.ts'

/** MCP servers that tools may name. */
export function mcpServerHandlers(parts: ChangeMcpServerParts & ConnectMcpServerParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { database } = parts
  const { read } = database
  return [
    handler(op.listMcpServers, async ({ caller, query }) =>
      pageOf(
        query,
        await read.builder.mcpServers.page(caller.organizationId, configurationQuery(query)),
        presentMcpServer,
      ),
    ),
    handler(op.getMcpServer, ({ caller, params }) =>
      showMcpServer(read, caller.organizationId, params.mcpServerId),
    ),
    handler(op.createMcpServer, ({ caller, body }) => createMcpServer(parts, caller, body)),
    handler(op.updateMcpServer, ({ caller, params, body }) =>
      updateMcpServer(parts, caller, params.mcpServerId, body),
    ),
    handler(op.deleteMcpServer, async ({ caller, params }) => {
      await deleteMcpServer(parts, caller, params.mcpServerId)
      return null
    }),
    handler(op.connectMcpServer, ({ caller, params }) => connectMcpServer(parts, caller, params.mcpServerId)),
    handler(op.confirmMcpTools, async ({ caller, params, body }) => {
      const { organizationId, actor } = caller
      await database.transaction(async (tx) =>
        confirmToolsOf(
          tx,
          actor,
          await findMcpServer(tx.read, organizationId, params.mcpServerId),
          body.tools,
        ),
      )
      return showMcpServer(read, organizationId, params.mcpServerId)
    }),
  ]
}
