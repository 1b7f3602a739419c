import type { AgentSummary, TeamSummary } from '@troupe/contract/builder'
import { useCallback, useState } from 'react'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'

/** Names of agents by their ids, as far as the page has seen them. */
export interface AgentNames {
  nameOf(agentId: string): string
  /** Remembers an agent that was chosen just now. */
  note(agent: Pick<AgentSummary, 'agentId' | 'name'>): void
}

/** The names of a team's agents: those that are saved, and those that were chosen since. */
export function useAgentNames(agents: TeamSummary['agents']): AgentNames {
  const [noted, setNoted] = useState<Readonly<Record<string, string>>>({})
  const nameOf = useCallback(
    (agentId: string) =>
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
