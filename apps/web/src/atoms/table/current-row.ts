/** The row that the keys of a table act on. */
export interface CurrentRow {
  /** null: no selection. */
  id: string | null
  /** Its index when it was selected. */
  index: number
}

export const FIRST_ROW: CurrentRow = { id: null, index: 0 }

/** The current index of the current row; its old one, once it has left the list. */
export function placeOfCurrent<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { id, index }: CurrentRow,
): number {
  const last = Math.max(0, rows.length - 1)
  const there = rows[index]
  if (id === null || (there !== undefined && idOf(there) === id)) return Math.min(index, last)
  const found = rows.findIndex((row) => idOf(row) === id)
  return found === -1 ? Math.min(index, last) : found
}
