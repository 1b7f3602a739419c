import {
  AgentId,
  isJsonObject,
  McpServerId,
  type NewId,
  type ProjectId,
  typedKeys,
  WorkflowId,
} from '@troupe/contract'
import { unusableAsTool } from '@troupe/operations/agents/tool-references'
import type { NameLookup } from './name-lookup.ts'
import { withRenamedKey } from './with-renamed-key.ts'

/** A possible reference of a tool. */
export interface ToolTarget {
  id: string
  slug: string | null
  projectId: ProjectId | null
  status?: string
}

/** By the reference key in a bundle: the tools that have it, and the key of its id. */
const KINDS = {
  agent: { type: 'agent', idKey: 'agent_id', title: 'an agent', id: AgentId },
  workflow: { type: 'workflow', idKey: 'workflow_id', title: 'a workflow', id: WorkflowId },
  server: { type: 'mcp', idKey: 'server_id', title: 'an MCP server', id: McpServerId },
} as const
type Kind = keyof typeof KINDS

/** Finds the possible references of the agents' tools. */
export type ToolLookups = Readonly<Record<Kind, NameLookup<ToolTarget>>>

/** Resolves the tools of one agent. `report` takes paths below the agent. */
export interface ToolResolution {
  lookups: ToolLookups
  projectId: ProjectId | null
  report: (path: string, message: string) => void
  newId: NewId
}

const kindOf = (tool: Record<string, unknown>) =>
  typedKeys(KINDS).find((kind) => KINDS[kind].type === tool.type)

/** The references of a kind in the tools of a bundle's agent: slugs and ids. */
export function namedInTools(config: unknown, kind: Kind): unknown[] {
  const tools = isJsonObject(config) && Array.isArray(config.tools) ? config.tools : []
  return tools.flatMap((tool: unknown) =>
    isJsonObject(tool) && kindOf(tool) === kind ? [tool[kind] ?? tool[KINDS[kind].idKey]] : [],
  )
}

/** The configuration with every `agent`, `workflow` and `server` (slug or id) of its tools replaced by an id. */
export function resolveToolReferences(
  config: Record<string, unknown>,
  resolution: ToolResolution,
): Record<string, unknown> {
  if (!Array.isArray(config.tools)) return config
  const tools = config.tools.map((tool: unknown, index) =>
    isJsonObject(tool) ? resolved(tool, `config.tools.${index}`, resolution) : tool,
  )
  return { ...config, tools }
}

function resolved(tool: Record<string, unknown>, path: string, resolution: ToolResolution) {
  const kind = kindOf(tool)
  if (kind === undefined) return tool
  const { idKey } = KINDS[kind]
  const { [kind]: named, [idKey]: id, ...rest } = tool
  if (named !== undefined && id !== undefined) {
    resolution.report(`${path}.${kind}`, `must not be given together with ${idKey}`)
  }
  // A server may be referenced by its URL instead.
  if (kind === 'server' && named === undefined && id === undefined) return rest
  const key = named === undefined ? idKey : kind
  const target = idOf(kind, named ?? id, `${path}.${key}`, resolution)
  return id === undefined && named === undefined
    ? { ...rest, [idKey]: target }
    : withRenamedKey(tool, key, idKey, target)
}

/** The id; a placeholder when the reference is invalid, which is reported. */
function idOf(kind: Kind, reference: unknown, path: string, resolution: ToolResolution): string {
  const { lookups, projectId, report, newId } = resolution
  const { title } = KINDS[kind]
  const target = typeof reference === 'string' ? lookups[kind](reference) : undefined
  if (typeof reference !== 'string') report(path, `must be the slug or the id of ${title}`)
  else if (target === undefined) report(path, `is not ${title} of this organization: ${reference}`)
  if (!target) return newId(KINDS[kind].id)
  if (target.status === 'archived') report(path, `is an archived agent: ${reference}`)
  const unusable = unusableAsTool(projectId, target)
  if (unusable !== null) report(path, `${unusable}: ${reference}`)
  return target.id
}
