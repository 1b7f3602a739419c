import type { ReactNode } from 'react'

/** One column of a table. */
export interface Column<Row> {
  id: string
  /** The heading. */
  title: string
  /** Replaces the title, which is then for screen readers only: the axis of a timeline. */
  head?: ReactNode
  cell(row: Row): ReactNode
  /** A second line of the cell below 768 px: distinguishes rows with the same name, and is a separate column above. */
  under?(row: Row): ReactNode
  /** A CSS width; columns without one share the remaining space. A share (`28%`) applies from 768 px. */
  width?: string
  /** `end` for numbers. */
  align?: 'start' | 'end'
  /** The minimum window width at which it is shown: always, or from 768, 1,024, 1,280, 1,440, 1,600 px. */
  from?: 'always' | 'wide' | 'wider' | 'widest' | 'huge' | 'vast'
  /** Whether a press on the heading sorts by this column. */
  isSortable?: boolean
}

/** The sort column, in the format of the API: `name`, or `-name` for descending. */
export type Sort = string

/** The sort after a press on a heading: ascending first, then descending. */
export function nextSort(current: Sort, column: string): Sort {
  return current === column ? `-${column}` : column
}

/** The value of `aria-sort`. */
export function sortDirection(current: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (current === column) return 'ascending'
  return current === `-${column}` ? 'descending' : 'none'
}
