import type { AgentConfig, AgentId, OrganizationId, TeamConfig, WorkflowFinding } from '@troupe/contract'
import { toId, toolNameOf } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import type { Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'

/** Triggers that a caller who waits for the end can start. */
const AWAITED = ['manual-trigger', 'http-request']
const MOST_NAMES = 5

type Reading = Pick<Readers, 'agents' | 'teams'>

/** The tools of an agent that may need an approval, by the names of their configuration. */
function askingTools({ tools }: Pick<AgentConfig, 'tools'>): string[] {
  return tools
    .filter(({ approval = 'never' }) => approval !== 'never')
    .map((tool) => toolNameOf(tool) ?? tool.type)
}

/** The agents that one runs as tools. */
function agentsOfTools({ tools }: Pick<AgentConfig, 'tools'>): AgentId[] {
  return tools.flatMap((tool) => (tool.type === 'agent' ? (toId(tool.agent_id) ?? []) : []))
}

function agentsOfTeam({ lead, members }: TeamConfig): AgentId[] {
  const promoted = 'agent' in lead ? [lead.agent] : []
  return [...promoted, ...members.map(({ agent }) => agent)].flatMap((id) => toId(id) ?? [])
}

/** The agents at work, by the id of the agent or team that a step names. */
async function agentsAtWork(read: Reading, organizationId: OrganizationId, graph: Graph) {
  const references = graph.nodes.flatMap((node, index) =>
    (NODE_TYPES.get(node.type)?.references?.(node.config) ?? []).map((one) => ({ ...one, node, index })),
  )
  const named = references.filter(({ kind, id }) => id !== null && (kind === 'agent' || kind === 'team'))
  const idsOf = (kind: 'agent' | 'team') => [
    ...new Set(named.flatMap((one) => (one.kind === kind && one.id ? (toId(one.id) ?? []) : []))),
  ]
  const teams = await read.teams.byIds(organizationId, idsOf('team'))
  const members = new Map(teams.map(({ id, config }) => [id as string, agentsOfTeam(config)]))
  const first = [...new Set<AgentId>([...idsOf('agent'), ...[...members.values()].flat()])]
  const agents = await read.agents.byIds(organizationId, first)
  const nested = [...new Set(agents.flatMap(({ config }) => agentsOfTools(config)))]
  const others = nested.length === 0 ? [] : await read.agents.byIds(organizationId, nested)
  const byId = new Map([...others, ...agents].map((agent) => [agent.id as string, agent]))
  return named.map(({ node, index, kind, id, path }) => {
    const key = id?.toLowerCase() ?? ''
    const roots = kind === 'team' ? (members.get(key) ?? []) : [key]
    const all = roots.flatMap((one) => {
      const agent = byId.get(one)
      return agent ? [agent, ...agentsOfTools(agent.config).flatMap((inner) => byId.get(inner) ?? [])] : []
    })
    return { node, index, path, tools: [...new Set(all.flatMap(({ config }) => askingTools(config)))] }
  })
}

/**
 * Warnings of steps whose tools may need an approval, in a workflow that a caller can start who waits for its end: such
 * a caller cannot wait for a person, so the calls are denied.
 */
export async function unaskedApprovals(
  read: Reading,
  organizationId: OrganizationId,
  graph: Graph,
): Promise<WorkflowFinding[]> {
  if (!graph.nodes.some(({ type }) => AWAITED.includes(type))) return []
  const steps = await agentsAtWork(read, organizationId, graph)
  return steps
    .filter(({ tools }) => tools.length > 0)
    .map(({ node, index, path, tools }) => {
      const names = tools.slice(0, MOST_NAMES).join(', ')
      return {
        severity: 'warning',
        code: 'approval_not_awaited',
        path: `nodes.${index}.config.${path}`,
        message: `calls of ${names} may need approval: a run that is started with /run denies them, because its caller waits; start it with run-async`,
        nodeId: node.id,
        edgeId: null,
      }
    })
}
