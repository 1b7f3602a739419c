import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Column, ColumnKind } from '../../sql/client/columns.ts'

/** Whether a value has the JavaScript type of a column's kind. */
const FITS: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  uuid: (value) => typeof value === 'string',
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => value instanceof Date,
  json: () => true,
  integers: Array.isArray,
}

/**
 * A computed column in a query of the query builder, which knows the types of table columns but not of expressions.
 * Each value is checked against the declared kind.
 *
 * @throws TypeError while rows are read, for a value of another type
 */
export function expression<Value>({ kind }: Column<Value>, computed: SQLWrapper): SQL<Value> {
  return sql<Value>`${computed}`.mapWith((value: unknown) => {
    if (!FITS[kind](value))
      throw new TypeError(`an expression that is declared as ${kind} returned a ${typeof value}`)
    return value as Value
  })
}
