import type { Scope } from '@troupe/agents/ports'
import { type AgentId, DomainError } from '@troupe/contract'
import type { Readers, TeamOfAgent, WorkflowOfResource } from '@troupe/database'

/**
 * Why an agent can be neither archived nor deleted, as the end of a sentence that begins with it; null when neither a
 * team nor a published workflow uses it.
 */
export function describeUse(
  teams: readonly Pick<TeamOfAgent, 'name' | 'role'>[],
  workflows: readonly Pick<WorkflowOfResource, 'name'>[] = [],
): string | null {
  const ofRole = (role: TeamOfAgent['role']) => teams.filter((team) => team.role === role)
  const parts = [
    ...named('leads the team', 'leads the teams', ofRole('lead')),
    ...named('belongs to the team', 'belongs to the teams', ofRole('member')),
    ...usedByWorkflows(workflows),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}

/** That published workflows use something, as the end of a sentence that begins with it; empty when none does. */
export function usedByWorkflows(workflows: readonly Pick<WorkflowOfResource, 'name'>[]): string[] {
  return named('is used by the published workflow', 'is used by the published workflows', workflows)
}

function named(one: string, several: string, things: readonly { name: string }[]): string[] {
  if (things.length === 0) return []
  return [`${things.length === 1 ? one : several} ${things.map(({ name }) => `"${name}"`).join(', ')}`]
}

/**
 * Refuses to put away an agent that leads or belongs to a team, or that a published workflow names. Hold the lock of the
 * organization (`write.organizations.lock`) since before, until the agent is written: team writes and publishing hold it
 * too, so a team that takes the agent at the same moment is either seen here or sees that the agent is archived.
 *
 * @throws DomainError `agent_in_use`
 */
export async function requireUnused(
  read: Pick<Readers, 'teams' | 'workflows'>,
  organizationId: Scope['organizationId'],
  agentId: AgentId,
): Promise<void> {
  const use = describeUse(
    await read.teams.teamsOf(organizationId, agentId),
    await read.workflows.publishedWith(organizationId, { kind: 'agent', id: agentId }),
  )
  if (use !== null) throw new DomainError('agent_in_use', `The agent ${use}.`)
}
