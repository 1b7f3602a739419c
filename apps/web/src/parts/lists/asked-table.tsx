import type { ReactNode } from 'react'
import { AskedPanel, type AskedState } from '../../atoms/states/asked-panel.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import { PagedTable, type PagedTableProps } from '../../atoms/table/paged-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { listWords } from '../../core/messages/en/lists.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'

export interface AskedTableWords {
  failed: string
  /** The title for a list without any rows. */
  emptyTitle: string
  empty: string
  /** The title for a search or filter without a match. */
  noneTitle: string
  none: string
}

export interface AskedTableProps<Row>
  extends Omit<PagedTableProps<Row>, 'rows' | 'total' | 'isFormer' | 'limit' | 'words' | 'empty'> {
  asked: AskedState<{ data: readonly Row[]; total: number }> & { isFormer: boolean }
  words: AskedTableWords
  /** A search or filter narrows the list. */
  isFiltered: boolean
  /** Before each row: its tile, by its id and name. */
  hasTiles?: boolean
  /** Above the words of a list without rows. */
  picture: ReactNode
  /** The ways to a first row. */
  firstActions?: ReactNode
}

/** The table of a numbered-page list, or its state: loading, failed, without rows, or without a match. */
export function AskedTable<Row>(props: AskedTableProps<Row>) {
  const { asked, words, isFiltered, hasTiles = false, picture, firstActions, ...table } = props
  const tile = (row: Row) => (
    <Avatar id={table.idOf(row)} name={table.nameOf(row)} shape="square" size="small" />
  )
  const leadOf = hasTiles ? tile : table.leadOf
  return (
    <AskedPanel
      asked={asked}
      failed={words.failed}
      waiting={
        <WaitingTable
          columns={table.columns}
          hasLead={leadOf !== undefined}
          hasChoice={table.selected !== undefined && (table.selectFrom ?? true)}
          hasActions={table.actionsOf !== undefined}
        />
      }
    >
      {({ data, total }) => (
        <PagedTable
          {...table}
          rows={data}
          total={total}
          leadOf={leadOf}
          isFormer={asked.isFormer}
          limit={PAGE_ROWS}
          words={listWords}
          empty={
            <Empty
              picture={picture}
              title={isFiltered ? words.noneTitle : words.emptyTitle}
              {...(isFiltered ? {} : { actions: firstActions })}
            >
              {isFiltered ? words.none : words.empty}
            </Empty>
          }
        />
      )}
    </AskedPanel>
  )
}
