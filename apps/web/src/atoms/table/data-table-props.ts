import type { ReactNode } from 'react'
import type { Column, Sort } from './columns.ts'

export interface DataTableProps<Row> {
  /** Name of the rows: "Agents". */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf(row: Row): string
  /** The name of a row for screen readers, such as its title. */
  nameOf(row: Row): string
  /** Before the first cell: the tile of the thing. */
  leadOf?: (row: Row) => ReactNode
  /** The page of a row: opened by a click, Enter, or its first column, which is a link. Undefined: none. */
  hrefOf?: (row: Row) => string | undefined
  /** The row whose details are shown beside the table; keys start there. */
  openedId?: string | null
  /** The arrows have moved to a row: details beside the table follow. */
  onMove?: (row: Row) => void
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Ids of selected rows; if set, rows have a checkbox, and `X` toggles it. */
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** `wide`: rows can be selected from 768 px only, where there is room for the checkboxes. */
  selectFrom?: 'wide'
  /** A menu at the end of a row. */
  actionsOf?: (row: Row) => ReactNode
  /** The summary of a row, which Space shows at the side without leaving the list. */
  peekOf?: (row: Row) => ReactNode
  /** The rows belong to previous parameters: they are dimmed. */
  isFormer?: boolean
  /** Rows to tint, see `useArrivals`. */
  arrived?: ReadonlySet<string>
  /** The total number of rows, if more than those given; for screen readers. */
  total?: number
  /** More rows can be loaded. */
  more?: {
    label: string
    isPending: boolean
    onLoad(): void
    /** Loads automatically near the end of the rows. */
    isAutomatic?: boolean
  }
  /** "12 new": rows added in the meantime, shown on a press so that nothing moves by itself. */
  newer?: { label: string; onShow(): void }
  /** Shown instead of rows if there are none. */
  empty?: ReactNode
}
