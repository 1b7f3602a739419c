import type { ReactNode } from 'react'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'

export interface RunnablePeekProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  /** Its users, with links. */
  children: ReactNode
}

/** The list's data of an agent or a team, with links to its uses instead of their column. */
export function RunnablePeek<Row extends { description: string | null }>({
  row,
  columns,
  children,
}: RunnablePeekProps<Row>) {
  return (
    <>
      {row.description && <p>{row.description}</p>}
      <RowFacts row={row} columns={columns.filter(({ id }) => id !== 'used')} />
      {children}
    </>
  )
}
