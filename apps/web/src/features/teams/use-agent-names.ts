import type { AgentId, IdText } from '@troupe/contract'
import type { AgentSummary, TeamSummary } from '@troupe/contract/builder'
import { useCallback, useState } from 'react'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'

/** Names of agents by their ids, as far as the page has loaded them. */
export interface AgentNames {
  nameOf(agentId: IdText<AgentId>): string
  /** Stores the name of a just selected agent. */
  note(agent: Pick<AgentSummary, 'agentId' | 'name'>): void
}

/** The names of a team's agents: saved ones, and those selected since. */
export function useAgentNames(agents: TeamSummary['agents']): AgentNames {
  const [noted, setNoted] = useState<Readonly<Record<string, string>>>({})
  const nameOf = useCallback(
    (agentId: IdText<AgentId>) =>
      agents.find((agent) => agent.agentId === agentId)?.name ??
      noted[agentId] ??
      teamPageWords.members.unknown,
    [agents, noted],
  )
  const note = useCallback(
    ({ agentId, name }: Pick<AgentSummary, 'agentId' | 'name'>) =>
      setNoted((before) => (before[agentId] === name ? before : { ...before, [agentId]: name })),
    [],
  )
  return { nameOf, note }
}
