import { createHash } from 'node:crypto'
import { schemaProblems } from '@troupe/json-schema'
import type { ListedTool } from './mcp-connection.ts'
import type { OfferedDefinition } from './mcp-endpoint.ts'

const NAME = /^[a-zA-Z0-9_./-]{1,128}$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 4_000
/** Whoever confirms a change reads all of a definition, so it has an end. */
const MAX_DEFINITION = 60_000

/** A tool that an agent gets, under the name that its model sees. */
export interface OfferedTool extends ListedTool {
  shownName: string
}

/** Which tools of a server an agent gets. */
export interface ToolSelection {
  allow?: readonly string[]
  deny?: readonly string[]
  prefix: string
}

/** A tool that an agent does not get, with the reason. */
export interface LeftOut {
  name: string
  reason: string
}

/** The tools of a server that an agent gets, and those that cannot be offered. */
export function offeredTools(
  listed: readonly ListedTool[],
  { allow, deny = [], prefix }: ToolSelection,
): { tools: OfferedTool[]; leftOut: LeftOut[] } {
  const allowed = allow && new Set(allow)
  const denied = new Set(deny)
  const tools = new Map<string, OfferedTool>()
  const leftOut: LeftOut[] = []
  for (const { name, ...whole } of listed) {
    if ((allowed && !allowed.has(name)) || denied.has(name)) continue
    const tool = { ...whole, name, description: whole.description.slice(0, MAX_DESCRIPTION) }
    const shownName = `${prefix}_${tool.name.slice(0, MAX_NAME).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`
    const reason = faultOf(tool, shownName, tools)
    if (reason === null) {
      tools.set(shownName, { ...tool, shownName })
    } else leftOut.push({ name: tool.name.slice(0, MAX_NAME), reason })
  }
  return { tools: [...tools.values()], leftOut }
}

function faultOf(tool: ListedTool, shownName: string, earlier: ReadonlyMap<string, unknown>): string | null {
  const { name, inputSchema } = tool
  if (!NAME.test(name) || shownName.length > MAX_NAME) return 'its name is too long or has other characters'
  if (earlier.has(shownName)) return `another tool is named ${shownName}, too`
  if (textOf(tool).length > MAX_DEFINITION) {
    return `its description and input schema have more than ${MAX_DEFINITION} characters`
  }
  const [problem] = schemaProblems(inputSchema, 'inputSchema')
  return problem ? `its ${problem.path} ${problem.message}` : null
}

/** What is stored of a tool to notice that it changes. */
export function definitionOf(tool: OfferedTool): OfferedDefinition {
  const definition = textOf(tool)
  const fingerprint = createHash('sha256').update(definition).digest('base64url').slice(0, 22)
  return { name: tool.name, fingerprint, definition }
}

/** What models read of a tool. */
function textOf({ description, inputSchema }: ListedTool): string {
  return JSON.stringify({ description, inputSchema }, null, 2)
}

/** The name of a server as a prefix of its tools. */
export function prefixOf(name: string): string {
  const prefix = name.slice(0, 32).replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  return /^[a-zA-Z_]/.test(prefix) ? prefix : `_${prefix}`
}
