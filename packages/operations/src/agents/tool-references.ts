import type { Scope } from '@troupe/agents/ports'
import {
  type AgentConfig,
  AgentId,
  checkedId,
  DomainError,
  type FieldError,
  McpServerId,
  type ProjectId,
  WorkflowId,
} from '@troupe/contract'
import type { AgentRecord, Readers } from '@troupe/storage'

type Tools = AgentConfig['tools']
type Visible = Pick<AgentRecord, 'projectId'>

/** An agent whose tools refer to others. */
export interface ToolOwner {
  /** null for a new agent. */
  id: AgentId | null
  projectId: ProjectId | null
  config: AgentConfig
}

/** The agents that an agent may run as tools. */
export function agentsAmong(tools: Tools): AgentId[] {
  return tools.flatMap((tool) => (tool.type === 'agent' ? [checkedId(AgentId, tool.agent_id)] : []))
}

/** Why an agent of this project may not use an agent or a workflow as a tool; null if it may. */
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
 * Checks the references of an agent's tools: workflows, agents and MCP servers must exist and belong to the
 * organization level or the agent's project, and no agent may run itself through others. The number of statements does
 * not depend on the number of tools.
 *
 * @throws DomainError `validation_error`, listing every path
 */
export async function requireToolReferences(
  read: ToolTargets,
  { organizationId }: Scope,
  owner: ToolOwner,
): Promise<void> {
  const { tools } = owner.config
  const found = await targetsOf(read, organizationId, tools)
  const cyclic = await agentsInCycle(read, organizationId, owner)
  const errors = tools.flatMap((tool, index): FieldError[] => {
    const reference = referenceOf(tool)
    if (reference === null) return []
    const message = faultOf(owner, reference, { found, cyclic })
    const path = `config.tools.${index}.${reference.kind}_id`
    return message === null ? [] : [{ path, message }]
  })
  if (errors.length === 0) return
  throw new DomainError('validation_error', 'The configuration has tools that the agent cannot use.', {
    errors,
  })
}

type ToolTargets = Pick<Readers, 'agents' | 'workflows' | 'mcpServers'>
type Kind = 'agent' | 'workflow' | 'server'
type Targets = Record<Kind, ReadonlyMap<string, Visible & { status?: string }>>

const NAMED: Record<Kind, string> = { agent: 'an agent', workflow: 'a workflow', server: 'an MCP server' }

function referenceOf(tool: Tools[number]): { kind: Kind; id: string } | null {
  if (tool.type === 'agent') return { kind: 'agent', id: tool.agent_id.toLowerCase() }
  if (tool.type === 'workflow') return { kind: 'workflow', id: tool.workflow_id.toLowerCase() }
  if (tool.type === 'mcp' && tool.server_id) return { kind: 'server', id: tool.server_id.toLowerCase() }
  return null
}

async function targetsOf(
  read: ToolTargets,
  organizationId: Scope['organizationId'],
  tools: Tools,
): Promise<Targets> {
  const references = tools.flatMap((tool) => referenceOf(tool) ?? [])
  const ids = (kind: Kind) => references.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    agent: byId(
      await read.agents.byIds(
        organizationId,
        ids('agent').map((id) => checkedId(AgentId, id)),
      ),
    ),
    workflow: byId(
      await read.workflows.projectsOf(
        organizationId,
        ids('workflow').map((id) => checkedId(WorkflowId, id)),
      ),
    ),
    server: byId(
      await read.mcpServers.byIds(
        organizationId,
        ids('server').map((id) => checkedId(McpServerId, id)),
      ),
    ),
  }
}

/** The agents among the tools that close a cycle. */
async function agentsInCycle(
  read: ToolTargets,
  organizationId: Scope['organizationId'],
  { id, config }: ToolOwner,
): Promise<ReadonlySet<string>> {
  const first = agentsAmong(config.tools)
  if (id === null || first.length === 0) return new Set()
  const toolsOf = async (ids: readonly AgentId[]) =>
    (await read.agents.byIds(organizationId, ids)).map((agent) => agent.config.tools)
  // The agents are checked one by one only if there is a cycle.
  if (!(await runsItself(id, first, toolsOf))) return new Set()
  const cyclic = new Set<string>()
  for (const one of first) if (await runsItself(id, [one], toolsOf)) cyclic.add(one)
  return cyclic
}

function faultOf(
  { projectId }: ToolOwner,
  { kind, id }: { kind: Kind; id: string },
  { found, cyclic }: { found: Targets; cyclic: ReadonlySet<string> },
): string | null {
  const target = found[kind].get(id)
  if (!target) return `is not ${NAMED[kind]} of this organization`
  if (target.status === 'archived') return 'is an archived agent'
  if (cyclic.has(id)) return 'creates a cycle: the agent would call itself'
  return unusableAsTool(projectId, target)
}
