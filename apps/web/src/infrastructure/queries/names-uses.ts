/** Operations whose answers name the agents, teams and workflows that use something. */
export const NAMES_USES = ['getAgent', 'listAgents', 'getTeam', 'listTeams'] as const
