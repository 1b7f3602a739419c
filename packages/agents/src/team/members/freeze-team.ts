import type { AgentId, AgentVersionId } from '@troupe/contract'
import { modelOwner } from '../../chain/model-owner.ts'
import { chainProblem, type ModelOwner, type ResolvedChain, resolveChain } from '../../chain/resolve-chain.ts'
import type {
  AgentCatalog,
  AgentSnapshot,
  TeamSnapshot,
  UsableLlmConfiguration,
} from '../../ports/agent-catalog.ts'

/** The key of a promoted lead that acts as a member. */
const SELF = 'self'

/** A member as a run sees it. */
export interface FrozenMember {
  /** `m1`, `m2`, … in builder order, or {@link SELF}: models see these instead of names and ids. */
  key: string
  agent: AgentSnapshot
  /** The agent's role in this team; null when the builder left it empty. */
  role: string | null
  resolved: ResolvedChain | null
  /** Why the member cannot run, as a sentence; null if it can. */
  problem: string | null
}

/** The team's lead: a managed lead that exists only in the team, or a promoted agent. */
export interface TeamLead {
  agent: AgentSnapshot | null
  name: string
  instructions: string
  resolved: ResolvedChain | null
  /** Why there is no chain, as the rest of a sentence about the lead. */
  noChain: string
}

/** A team frozen for a run: later edits have no effect on it. */
export interface FrozenTeam {
  snapshot: TeamSnapshot
  lead: TeamLead
  /** Without archived agents, and without the lead. */
  members: readonly FrozenMember[]
  /** The promoted lead if it may act as a member; null for a managed one. */
  self: FrozenMember | null
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A member in prompts, on one line: `m1 (Billing)`. */
export function memberLabel({ key, agent }: FrozenMember): string {
  return `${key} (${oneLine(agent.name)})`
}

/** A member's purpose, on one line: its role here, otherwise its agent's description. */
export function purposeOf({ role, agent }: FrozenMember): string {
  return oneLine(role ?? agent.description ?? '')
}

type Chain = Pick<TeamLead, 'resolved' | 'noChain'>

function chainOf(owner: ModelOwner, configurations: readonly UsableLlmConfiguration[]): Chain {
  const resolved = resolveChain(owner, configurations)
  return { resolved, noChain: resolved ? '' : chainProblem(owner, configurations) }
}

/** An agent as a member, with the configurations of its organization. */
export function freezeMember(
  key: string,
  agent: AgentSnapshot,
  role: string | null,
  configurations: readonly UsableLlmConfiguration[],
): FrozenMember {
  const chain = chainOf(modelOwner(agent), configurations)
  return {
    key,
    agent,
    role,
    resolved: chain.resolved,
    problem: chain.resolved ? null : `It ${chain.noChain}.`,
  }
}

/**
 * The agents of a team. `pins` names the versions that a job was accepted with; null takes the current ones.
 * Deleted and archived agents are omitted.
 */
export async function freezeTeam(
  catalog: AgentCatalog,
  snapshot: TeamSnapshot,
  pins: Readonly<Record<AgentId, AgentVersionId>> | null,
): Promise<FrozenTeam> {
  const { organizationId, config, projectId, name } = snapshot
  const configurations = await catalog.llmConfigurations(organizationId)
  const load = (id: AgentId): Promise<AgentSnapshot | null> => {
    const version = pins?.[id]
    return version ? catalog.agentVersion(organizationId, version) : catalog.agent(organizationId, id)
  }
  const asMember = (key: string, agent: AgentSnapshot, role: string | null) =>
    freezeMember(key, agent, role, configurations)
  const leadId = 'agent' in config.lead ? config.lead.agent : null
  const [leadAgent, ...agents] = await Promise.all([
    leadId === null ? null : load(leadId),
    ...config.members.map((member) => load(member.agent)),
  ])
  const members = agents.flatMap((agent, index) => {
    const usable = agent !== null && agent.status !== 'archived'
    return usable ? [asMember(`m${index + 1}`, agent, config.members[index]?.role ?? null)] : []
  })
  const self = leadAgent ? asMember(SELF, leadAgent, null) : null
  const lead: TeamLead =
    'managed' in config.lead
      ? {
          agent: null,
          name,
          instructions: config.lead.managed.instructions,
          ...chainOf({ projectId, model: config.lead.managed.model }, configurations),
        }
      : {
          agent: leadAgent,
          name: leadAgent?.name ?? name,
          instructions: leadAgent?.config.instructions ?? '',
          ...(leadAgent
            ? chainOf(modelOwner(leadAgent), configurations)
            : { resolved: null, noChain: 'no longer exists' }),
        }
  return { snapshot, lead, members, self }
}

/** The versions of a team's agents, for the row of a job. */
export function pinsOf({ members, self }: FrozenTeam): Record<AgentId, AgentVersionId> {
  const agents = [...members, ...(self ? [self] : [])]
  return Object.fromEntries(agents.map(({ agent }) => [agent.agentId, agent.versionId]))
}
