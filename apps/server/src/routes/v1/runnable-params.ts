import type { AgentId, IdText, TeamId } from '@troupe/contract'
/** The part of a path that names an agent or a team. */
export type RunnableParams = { agentId: IdText<AgentId> } | { teamId: IdText<TeamId> }

/** The id of the agent or the team in the path. */
export function idOf(params: RunnableParams): string {
  return 'agentId' in params ? params.agentId : params.teamId
}
