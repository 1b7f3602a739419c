import type { ConfirmMcpToolsBody, McpServerTools } from '@troupe/contract'
import { confirmMcpServerTools, listMcpServerTools } from '@troupe/operations/mcp-servers/server-tools'
import type { Env } from '../config/env.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { findTarget } from './target.ts'

type McpToolsCommand = Extract<Command, { kind: 'mcp-tools' }>

/**
 * `troupe mcp-tools <server> --organization <slug> [--confirm <tool>=<fingerprint>]`: prints the changed tools and how to confirm
 * them.
 *
 * @throws CliError, RemoteError, DomainError and errors of opening the database
 */
export async function mcpToolsCommand(command: McpToolsCommand, env: Env, output: Output): Promise<void> {
  const { data } = await answer(command, env)
  const changed = data.filter((tool) => tool.changed !== null)
  output.out(`${command.server}: ${data.length} tools, ${changed.length} changed\n`)
  for (const tool of changed) output.out(describe(tool, command))
}

async function answer(command: McpToolsCommand, env: Env): Promise<McpServerTools> {
  const { organization, server, confirm: tools } = command
  const body: ConfirmMcpToolsBody = { organization, server, tools }
  const target = await findTarget(command, env)
  if (target.kind === 'server') {
    return tools.length > 0 ? target.remote.confirmMcpTools(body) : target.remote.mcpTools(body)
  }
  await using context = await target.open()
  const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
  return tools.length > 0
    ? await confirmMcpServerTools(context, operator, body)
    : await listMcpServerTools(context, body)
}

function describe(
  { name, definition, changed }: McpServerTools['data'][number],
  { server, organization }: McpToolsCommand,
): string {
  if (changed === null) return ''
  return `
${name}, changed at ${changed.at}; agents do not get it
--- confirmed
${definition}
--- offered now
${changed.definition}
---
To confirm it: troupe mcp-tools ${server} --organization ${organization} --confirm ${name}=${changed.fingerprint}
`
}
