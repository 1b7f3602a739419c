import {
  type AgentConfig,
  AgentId,
  type IdKind,
  type OrganizationId,
  parseId,
  type TeamConfig,
  TeamId,
} from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Readers } from '@troupe/storage'

/** A step with the agents that may work for it. */
export interface StepAgents {
  node: Graph['nodes'][number]
  /** Index of the node in the graph. */
  index: number
  /** The setting that names the agent or the team. */
  path: string
  configs: AgentConfig[]
}

/** The agents among an agent's tools. */
function agentsOfTools({ tools }: Pick<AgentConfig, 'tools'>): AgentId[] {
  return tools.flatMap((tool) => (tool.type === 'agent' ? (parseId(AgentId, tool.agent_id) ?? []) : []))
}

function agentsOfTeam({ lead, members }: TeamConfig): AgentId[] {
  const promoted = 'agent' in lead ? [lead.agent] : []
  return [...promoted, ...members.map(({ agent }) => agent)].flatMap((id) => parseId(AgentId, id) ?? [])
}

/**
 * Every agent that may work for each step with an agent or a team: the step's agent, the members of its team, and
 * agents that these run as tools.
 */
export async function agentsAtWork(
  read: Pick<Readers, 'agents' | 'teams'>,
  organizationId: OrganizationId,
  graph: Graph,
): Promise<StepAgents[]> {
  const references = graph.nodes.flatMap((node, index) =>
    (NODE_TYPES.get(node.type)?.references?.(node.config) ?? []).map((one) => ({ ...one, node, index })),
  )
  const named = references.filter(({ kind, id }) => id !== null && (kind === 'agent' || kind === 'team'))
  const idsOf = <Kind extends 'agent' | 'team'>(ofKind: IdKind<Kind>) => [
    ...new Set(
      named.flatMap((one) => (one.kind === ofKind.kind && one.id ? (parseId(ofKind, one.id) ?? []) : [])),
    ),
  ]
  const teams = await read.teams.byIds(organizationId, idsOf(TeamId))
  const members = new Map(teams.map(({ id, config }) => [id as string, agentsOfTeam(config)]))
  const first = [...new Set<AgentId>([...idsOf(AgentId), ...[...members.values()].flat()])]
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
    return { node, index, path, configs: all.map(({ config }) => config) }
  })
}
