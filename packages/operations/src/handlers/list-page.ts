/** One page of a list of configuration. */
export interface ListPage<T> {
  data: T[]
  total: number
  page: number
  limit: number
}

/** A page of rows as a list response. */
export function pageOf<Row, T>(
  { page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined },
  { rows, total }: { rows: readonly Row[]; total: number },
  present: (row: Row) => T,
): ListPage<T> {
  return { data: rows.map(present), total, page, limit }
}
