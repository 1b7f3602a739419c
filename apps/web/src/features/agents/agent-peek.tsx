import type { AgentSummary } from '@troupe/contract/builder'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { UsersOfAgent } from './users-of-agent.tsx'

export interface AgentPeekProps {
  agent: AgentSummary
  columns: readonly Column<AgentSummary>[]
}

/** The list's data of an agent, with links to its uses. */
export function AgentPeek({ agent, columns }: AgentPeekProps) {
  return (
    <>
      {agent.description && <p>{agent.description}</p>}
      <RowFacts row={agent} columns={columns.filter(({ id }) => id !== 'used')} />
      <UsersOfAgent usedBy={agent.usedBy} status={agent.status} />
    </>
  )
}
