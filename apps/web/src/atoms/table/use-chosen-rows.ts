import { useMemo, useState } from 'react'
import { type ChosenRows, chosenRows, freshRows } from './chosen-rows.ts'

/** Selected rows of a list, over all of its pages. */
export interface RowChoice<Row> {
  /** For the table. */
  selected: ReadonlySet<string>
  onSelect(ids: ReadonlySet<string>): void
  /** The selected rows of every page, in the order of selection. */
  rows: readonly Row[]
  /** The number of them that are not among the shown rows. */
  elsewhere: number
  drop(id: string): void
  clear(): void
}

/**
 * Keeps the choice of rows while a list turns its pages or is searched.
 *
 * @param idOf a stable function
 */
export function useChosenRows<Row>(shown: readonly Row[], idOf: (row: Row) => string): RowChoice<Row> {
  const [kept, setKept] = useState<ChosenRows<Row>>(new Map())
  const chosen = useMemo(() => freshRows(kept, shown, idOf), [kept, shown, idOf])
  const selected = useMemo(() => new Set(chosen.keys()), [chosen])
  return {
    selected,
    onSelect: (ids) => setKept(chosenRows(ids, chosen, shown, idOf)),
    rows: [...chosen.values()],
    elsewhere: chosen.size - shown.filter((row) => chosen.has(idOf(row))).length,
    drop: (id) => setKept((now) => new Map([...now].filter(([one]) => one !== id))),
    clear: () => setKept(new Map()),
  }
}
