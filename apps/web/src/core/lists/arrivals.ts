/** The rows of a list that have been shown. */
export interface SeenRows {
  /** The list with its filters. */
  list: string
  /** The rows of the last render. */
  rows: readonly string[]
  known: ReadonlySet<string>
  /** More rows could be loaded below them. */
  hasMore: boolean
  arrived: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Adds the rows that are shown now. Rows that were not shown before have arrived, unless the list is a different one,
 * or they are below all known rows of a list that had more to load.
 *
 * @param before null: nothing was shown
 * @returns `before` itself while no row is new
 */
export function seeRows(
  before: SeenRows | null,
  list: string,
  rows: readonly string[],
  hasMore: boolean,
): SeenRows {
  if (before?.list !== list) return { list, rows, known: new Set(rows), hasMore, arrived: NONE }
  if (before.rows === rows && before.hasMore === hasMore) return before
  const { known } = before
  const last = rows.findLastIndex((id) => known.has(id))
  const above = before.hasMore ? rows.slice(0, last + 1) : rows
  const fresh = above.filter((id) => !known.has(id))
  if (fresh.length === 0 && before.hasMore === hasMore && rows.every((id) => known.has(id))) return before
  return {
    ...{ list, rows, hasMore },
    known: new Set([...known, ...rows]),
    arrived: fresh.length === 0 ? before.arrived : new Set([...before.arrived, ...fresh]),
  }
}
