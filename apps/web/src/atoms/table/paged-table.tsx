import { DataTable } from './data-table.tsx'
import type { DataTableProps } from './data-table-props.ts'
import { PageTurner, type PageTurnerProps } from './page-turner.tsx'

export interface PagedTableProps<Row>
  extends Omit<DataTableProps<Row>, 'total' | 'more' | 'newer'>,
    PageTurnerProps {}

/** A table of a list that comes in numbered pages. */
export function PagedTable<Row>({ page, limit, words, onTurn, ...table }: PagedTableProps<Row>) {
  const { total } = table
  return (
    <>
      <DataTable {...table} />
      <PageTurner page={page} limit={limit} total={total} words={words} onTurn={onTurn} />
    </>
  )
}
