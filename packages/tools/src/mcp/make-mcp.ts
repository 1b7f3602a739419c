import { ToolsUnavailable } from '@troupe/agents/ports'
import { checkedId, McpServerId } from '@troupe/contract'
import { type ContextValues, visibleContext } from '../context/context-values.ts'
import type { CredentialSource } from '../credentials/credential-source.ts'
import type { ConfigOf, ToolBody, ToolMaker, ToolUse } from '../tool/tool-maker.ts'
import { McpConnection } from './mcp-connection.ts'
import { type McpServer, type McpServers, McpUnavailable } from './mcp-endpoint.ts'
import { type OfferedTool, offeredTools, prefixOf, shownNameOf } from './offered-tools.ts'
import { openEndpoint } from './open-endpoint.ts'
import type { ToolLists } from './tool-lists.ts'

type Config = ConfigOf<'mcp'>

/** Dependencies of tools of MCP servers. */
export interface McpParts {
  mcpServers: McpServers
  credentials: CredentialSource
  /** Shared for the life of the process. */
  toolLists: ToolLists
  /** The guarded fetch. */
  fetch: typeof globalThis.fetch
  /** Logs why an agent lacks a tool. */
  warn(use: ToolUse, message: string): void
}

const PLACEHOLDER = /\{\{\s*context\.([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/** The headers with values of the run's context, and those values. A missing value makes the server unavailable. */
function filled(
  headers: Readonly<Record<string, string>>,
  context: ContextValues,
): { headers: Record<string, string>; values: string[] } {
  const values: string[] = []
  const fill = (text: string) =>
    text.replaceAll(PLACEHOLDER, (_, key: string) => {
      const value = Object.hasOwn(context, key) ? (context[key] ?? null) : null
      if (value === null) throw new McpUnavailable(`Its headers need ${key} in tool_context.`)
      const text = String(value).replaceAll(/[\r\n\0]/g, ' ')
      values.push(text)
      return text
    })
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text)])),
    values,
  }
}

/** The server in a configuration; its id is null if it is not registered. */
type NamedServer = Omit<McpServer, 'id'> & { id: McpServerId | null }

async function findServer(
  { server_id, url, name }: Config,
  { agent, run }: ToolUse,
  { mcpServers }: McpParts,
): Promise<NamedServer> {
  if (!server_id) {
    const shown = name ?? 'mcp'
    return { id: null, slug: shown, name: shown, projectId: null, url: url ?? '', credentialId: null }
  }
  const server = await mcpServers.byId(run.organizationId, checkedId(McpServerId, server_id))
  if (!server) throw new McpUnavailable(`The server ${server_id} no longer exists.`)
  const isVisible =
    agent.projectId === null || server.projectId === null || server.projectId === agent.projectId
  if (!isVisible) throw new McpUnavailable(`The server ${server.name} belongs to another project.`)
  return server
}

async function toolsOf(config: Config, use: ToolUse, parts: McpParts): Promise<ToolBody[]> {
  const { run, resources } = use
  const server = await findServer(config, use, parts)
  const context = visibleContext(config.context_keys ?? [], run.toolContext)
  const { headers, values } = filled(config.headers ?? {}, context)
  const opened = await openEndpoint(server, headers, run.organizationId, parts.credentials)
  const endpoint = { ...opened, values }
  const connection = resources.use(new McpConnection(endpoint, parts.fetch))
  const listed = await parts.toolLists.of(run.organizationId, endpoint, () => connection.list(run.signal))
  const choice = { ...config, prefix: config.prefix ?? prefixOf(server.slug) }
  const { tools, leftOut } = offeredTools(listed, choice)
  for (const gap of listed.gaps) use.leaveOut(`further tools of ${server.name}`, gap)
  for (const { name, reason } of leftOut) use.leaveOut(namedFor(choice.prefix, name, tools), reason)
  const changed = await changedOf(server.id, tools, use, parts)
  for (const { name, shownName } of tools) {
    if (!changed.has(name)) continue
    use.leaveOut(shownName, `It has changed on ${server.name} and is not confirmed yet.`)
  }
  return tools.filter(({ name }) => !changed.has(name)).map((tool) => bodyOf(tool, connection))
}

/** The name that a model would see for a left-out tool, unless another tool has that name. */
function namedFor(prefix: string, name: string, offered: readonly OfferedTool[]): string {
  const shown = shownNameOf(prefix, name)
  return offered.some(({ shownName }) => shownName === shown) ? name : shown
}

async function changedOf(
  serverId: McpServerId | null,
  tools: readonly OfferedTool[],
  { run }: ToolUse,
  { mcpServers }: McpParts,
): Promise<ReadonlySet<string>> {
  if (serverId === null) return new Set()
  return new Set(
    await mcpServers.changedTools(
      run.organizationId,
      serverId,
      tools.map(({ definition }) => definition),
    ),
  )
}

function bodyOf(
  { name, shownName, description, inputSchema }: OfferedTool,
  connection: McpConnection,
): ToolBody {
  return {
    name: shownName,
    description,
    inputSchema,
    idempotent: false,
    execute: (input, { signal }) => connection.call(name, input, signal),
  }
}

/**
 * The tools of an MCP server. If the server does not respond, it yields none, or with `on_unavailable: fail` stops the
 * run before its first model call.
 */
export const makeMcp: ToolMaker<'mcp', McpParts> = async (config, use, parts) => {
  try {
    return await toolsOf(config, use, parts)
  } catch (error) {
    if (!(error instanceof McpUnavailable)) throw error
    const shown = config.name ?? (config.url && URL.parse(config.url)?.host) ?? config.server_id
    const message = `The MCP server ${shown} is unavailable: ${error.message}`
    if (config.on_unavailable === 'fail') throw new ToolsUnavailable(message)
    parts.warn(use, message)
    return []
  }
}
