/** The row that the keys of a table act on. */
export interface CurrentRow {
  /** null: nobody has chosen one. */
  id: string | null
  /** Where it was when it was chosen. */
  index: number
}

export const FIRST_ROW: CurrentRow = { id: null, index: 0 }

/** Where the current row is now; where it was, once it has left the list. */
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
