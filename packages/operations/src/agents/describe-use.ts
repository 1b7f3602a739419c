import type { TeamOfAgent, WorkflowOfResource } from '@troupe/storage'

/** Other users of an agent. */
interface OtherUse {
  /** Agents with this one as a tool. */
  agents: readonly { name: string }[]
  /** Phone numbers of its voice. */
  numbers: readonly { e164: string }[]
}

/** Why an agent cannot be archived or deleted, as a predicate with the agent as its subject; null if it is unused. */
export function describeUse(
  teams: readonly Pick<TeamOfAgent, 'name' | 'role'>[],
  workflows: readonly Pick<WorkflowOfResource, 'name'>[] = [],
  { agents, numbers }: OtherUse = { agents: [], numbers: [] },
): string | null {
  const ofRole = (role: TeamOfAgent['role']) => teams.filter((team) => team.role === role)
  const parts = [
    ...named('leads the team', 'leads the teams', ofRole('lead')),
    ...named('belongs to the team', 'belongs to the teams', ofRole('member')),
    ...usedByWorkflows(workflows),
    ...named('is a tool of the agent', 'is a tool of the agents', agents),
    ...named(
      'is used by the phone number',
      'is used by the phone numbers',
      numbers.map(({ e164 }) => ({ name: e164 })),
    ),
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
