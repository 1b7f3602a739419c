/** Rows of a list that were chosen, including on pages that are not shown now. By id, in the order of choosing. */
export type ChosenRows<Row> = ReadonlyMap<string, Row>

/** The chosen rows: with current data if they are shown, else as they were when chosen. */
export function freshRows<Row>(
  chosen: ChosenRows<Row>,
  shown: readonly Row[],
  idOf: (row: Row) => string,
): ChosenRows<Row> {
  const now = rowsById(shown, idOf)
  return new Map([...chosen].map(([id, row]) => [id, now.get(id) ?? row]))
}

/** The rows of chosen ids, each known from the page or from an earlier choice. */
export function chosenRows<Row>(
  ids: ReadonlySet<string>,
  chosen: ChosenRows<Row>,
  shown: readonly Row[],
  idOf: (row: Row) => string,
): ChosenRows<Row> {
  const now = rowsById(shown, idOf)
  const next = new Map<string, Row>()
  for (const id of ids) {
    const row = now.get(id) ?? chosen.get(id)
    if (row !== undefined) next.set(id, row)
  }
  return next
}

function rowsById<Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [idOf(row), row]))
}

/** The selection after a press on the box of all shown rows: selections on other pages are kept. */
export function toggledAll(
  selected: ReadonlySet<string>,
  shown: readonly string[],
  isAll: boolean,
): ReadonlySet<string> {
  const next = new Set(selected)
  for (const id of shown) {
    if (isAll) next.delete(id)
    else next.add(id)
  }
  return next
}
