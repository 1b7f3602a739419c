import type { AgentId } from '../../schema/ids.ts'
import type { TeamConfig } from './team-config.ts'

/** An agent's part in a team. */
export type TeamRole = 'lead' | 'member'

/** An agent that a team references, and the path of the reference. */
export interface TeamAgent {
  agentId: AgentId
  role: TeamRole
  /** `config.lead.agent` or `config.members.<index>.agent`. */
  path: string
}

/** Every agent of a team: a promoted lead first, then the members in builder order. */
export function agentsOfTeam({ lead, members }: Pick<TeamConfig, 'lead' | 'members'>): TeamAgent[] {
  const promoted: TeamAgent[] =
    'agent' in lead ? [{ agentId: lead.agent, role: 'lead', path: 'config.lead.agent' }] : []
  return [
    ...promoted,
    ...members.map(
      ({ agent }, index): TeamAgent => ({
        agentId: agent,
        role: 'member',
        path: `config.members.${index}.agent`,
      }),
    ),
  ]
}
