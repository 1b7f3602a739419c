import { useEffect, useState } from 'react'
import { seeRows } from '../../core/lists/arrivals.ts'

/** As long as the tint of `[data-new]` in base.css. */
const TINT_MS = 600
const NONE: ReadonlySet<string> = new Set()

/**
 * The rows that have joined a list while it is shown, each for 600 ms: lists mark them with `data-new`, which tints them. Rows of the
 * first response and of another list have not arrived.
 *
 * @param list the list with its filters: rows of another one replace the known ones
 * @param ids null: they are not loaded
 * @param hasMore rows below the known ones are loaded on request, so these have not arrived
 */
export function useArrivals(
  list: string,
  ids: readonly string[] | null,
  hasMore = false,
): ReadonlySet<string> {
  const [seen, setSeen] = useState(() => (ids === null ? null : seeRows(null, list, ids, hasMore)))
  const now = ids === null ? seen : seeRows(seen, list, ids, hasMore)
  if (now !== seen) setSeen(now)
  const arrived = now?.arrived ?? NONE
  useEffect(() => {
    if (arrived.size === 0) return
    const timer = setTimeout(() => setSeen((last) => last && { ...last, arrived: NONE }), TINT_MS)
    return () => clearTimeout(timer)
  }, [arrived])
  return arrived
}
