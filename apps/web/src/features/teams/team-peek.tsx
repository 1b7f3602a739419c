import type { TeamSummary } from '@troupe/contract/builder'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { UsersOfTeam } from './users-of-team.tsx'

export interface TeamPeekProps {
  team: TeamSummary
  columns: readonly Column<TeamSummary>[]
}

/** The list's data of a team, with links to its uses. */
export function TeamPeek({ team, columns }: TeamPeekProps) {
  return (
    <>
      {team.description && <p>{team.description}</p>}
      <RowFacts row={team} columns={columns} />
      {team.usedBy.length > 0 && <UsersOfTeam usedBy={team.usedBy} />}
    </>
  )
}
