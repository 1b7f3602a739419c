import type { TeamOfAgent, WorkflowOfResource } from '@troupe/database'

/**
 * Why an agent cannot be archived or deleted, as a predicate with the agent as its subject; null when no team
 * or published workflow uses it.
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

/**
 * States which published workflows use a resource, as a predicate with the resource as its subject; empty
 * when none does.
 */
export function usedByWorkflows(workflows: readonly Pick<WorkflowOfResource, 'name'>[]): string[] {
  return named('is used by the published workflow', 'is used by the published workflows', workflows)
}

function named(one: string, several: string, things: readonly { name: string }[]): string[] {
  if (things.length === 0) return []
  return [`${things.length === 1 ? one : several} ${things.map(({ name }) => `"${name}"`).join(', ')}`]
}
