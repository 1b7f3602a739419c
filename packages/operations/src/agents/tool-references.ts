import type { Scope } from '@troupe/agents/ports'
import {
  type AgentConfig,
  type AgentId,
  asId,
  DomainError,
  type FieldError,
  type ProjectId,
} from '@troupe/contract'
import type { AgentRecord, Readers } from '@troupe/database'

type Tools = AgentConfig['tools']
type Visible = Pick<AgentRecord, 'projectId'>

/** An agent whose tools refer to others. */
export interface ToolOwner {
  /** null for one that is being created. */
  id: AgentId | null
  projectId: ProjectId | null
  config: AgentConfig
}

/** The agents that an agent may run as tools. */
export function agentsAmong(tools: Tools): AgentId[] {
  return tools.flatMap((tool) => (tool.type === 'agent' ? [asId(tool.agent_id.toLowerCase())] : []))
}

/** Why an agent of this project may not use an agent or a workflow as a tool; null when it may. */
export function unusableAsTool(projectId: ProjectId | null, target: Visible): string | null {
  const mayUse = projectId === null || target.projectId === null || target.projectId === projectId
  return mayUse ? null : 'belongs to another project than the agent'
}

/** Whether one of these agents runs `owner` as a tool, directly or through others. */
export async function runsItself(
  owner: AgentId,
  first: readonly AgentId[],
  toolsOf: (ids: readonly AgentId[]) => Promise<readonly Tools[]>,
): Promise<boolean> {
  const seen = new Set<AgentId>()
  for (let next = first; next.length > 0; ) {
    if (next.includes(owner)) return true
    for (const id of next) seen.add(id)
    const below = (await toolsOf(next)).flatMap(agentsAmong)
    next = [...new Set(below)].filter((id) => !seen.has(id))
  }
  return false
}

/**
 * Checks what an agent's tools refer to: workflows, agents and MCP servers must exist and belong to the organization level or the
 * agent's project, and no agent may run itself through others.
 *
 * @throws DomainError `validation_error`, listing every path
 */
export async function requireToolReferences(
  read: Pick<Readers, 'agents' | 'workflows' | 'mcpServers'>,
  { organizationId }: Scope,
  owner: ToolOwner,
): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, tool] of owner.config.tools.entries()) {
    const path = `config.tools.${index}`
    const message = await faultOf(read, organizationId, owner, tool)
    if (message !== null)
      errors.push({ path: `${path}.${tool.type === 'mcp' ? 'server' : tool.type}_id`, message })
  }
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The configuration has tools that the agent cannot use.', {
      errors,
    })
  }
}

async function faultOf(
  read: Pick<Readers, 'agents' | 'workflows' | 'mcpServers'>,
  organizationId: Scope['organizationId'],
  { id, projectId }: ToolOwner,
  tool: Tools[number],
): Promise<string | null> {
  if (tool.type === 'mcp' && tool.server_id) {
    const server = await read.mcpServers.byId(organizationId, asId(tool.server_id.toLowerCase()))
    return server ? unusableAsTool(projectId, server) : 'is not an MCP server of this organization'
  }
  if (tool.type === 'workflow') {
    const workflow = await read.workflows.byId(organizationId, asId(tool.workflow_id.toLowerCase()))
    return workflow ? unusableAsTool(projectId, workflow) : 'is not a workflow of this organization'
  }
  if (tool.type !== 'agent') return null
  const agentId = asId(tool.agent_id.toLowerCase())
  const [agent] = await read.agents.byIds(organizationId, [agentId])
  if (!agent) return 'is not an agent of this organization'
  if (agent.status === 'archived') return 'is an archived agent'
  const toolsOf = async (ids: readonly AgentId[]) =>
    (await read.agents.byIds(organizationId, ids)).map(({ config }) => config.tools)
  if (id !== null && (await runsItself(id, [agentId], toolsOf))) return 'is a cycle: it would run itself'
  return unusableAsTool(projectId, agent)
}
