import { type AgentId, DomainError } from '@troupe/contract'
import type { Readers, TeamOfAgent } from '@troupe/database'
import type { Scope } from '@troupe/runtime/ports'

/**
 * Why an agent can be neither archived nor deleted, as the end of a sentence that begins with it; null when no team
 * uses it.
 */
export function describeUse(teams: readonly Pick<TeamOfAgent, 'name' | 'role'>[]): string | null {
  const named = (role: TeamOfAgent['role']) =>
    teams.filter((team) => team.role === role).map(({ name }) => `"${name}"`)
  const parts = [['leads', named('lead')] as const, ['belongs to', named('member')] as const].flatMap(
    ([verb, names]) =>
      names.length === 0 ? [] : [`${verb} the ${names.length === 1 ? 'team' : 'teams'} ${names.join(', ')}`],
  )
  return parts.length === 0 ? null : parts.join(' and ')
}

/**
 * Refuses to put away an agent that leads or belongs to a team. Hold the lock of the organization
 * (`write.organizations.lock`) since before, until the agent is written: team writes hold it too, so a team that takes
 * the agent at the same moment is either seen here or sees that the agent is archived.
 *
 * @throws DomainError `agent_in_use`
 */
export async function requireUnused(
  read: Pick<Readers, 'teams'>,
  organizationId: Scope['organizationId'],
  agentId: AgentId,
): Promise<void> {
  const use = describeUse(await read.teams.teamsOf(organizationId, agentId))
  if (use !== null) throw new DomainError('agent_in_use', `The agent ${use}.`)
}
