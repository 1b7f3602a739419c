import { useEffect } from 'react'
import { DataTable } from './data-table.tsx'
import type { DataTableProps } from './data-table-props.ts'
import { PageTurner, type PageTurnerProps } from './page-turner.tsx'

export interface PagedTableProps<Row>
  extends Omit<DataTableProps<Row>, 'total' | 'more' | 'newer'>,
    PageTurnerProps {}

/**
 * A table of a numbered-page list. A page beyond the last one, whose rows are gone, is replaced by the last
 * one.
 */
export function PagedTable<Row>({ page, limit, words, onTurn, ...table }: PagedTableProps<Row>) {
  const { total, rows, isFormer = false } = table
  const last = Math.max(1, Math.ceil(total / limit))
  const isBehind = !isFormer && rows.length === 0 && page > last
  useEffect(() => {
    // With a new history entry, the back button would return here and be redirected again.
    if (isBehind) onTurn(last, { push: false })
  }, [isBehind, last, onTurn])
  if (isBehind) return null
  return (
    <>
      <DataTable {...table} />
      <PageTurner page={page} limit={limit} total={total} words={words} onTurn={onTurn} />
    </>
  )
}
