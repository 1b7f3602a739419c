/** Operations whose responses name the agents, teams and workflows that use a resource. */
export const NAMES_USES = ['getAgent', 'listAgents', 'getTeam', 'listTeams'] as const
