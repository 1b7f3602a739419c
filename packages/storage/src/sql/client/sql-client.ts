import type { Columns } from './columns.ts'

/**
 * The value types that a statement accepts: timestamps as ISO 8601 text, documents and lists as JSON text.
 */
export type SqlValue = string | number | boolean | null

/**
 * A hand-written statement. `name` is unique in the program: PostgreSQL plans it once per connection under it. `Row` is
 * `never` while the statement declares no columns; its caller then names the row's type.
 */
export interface Statement<Row = never> {
  name: string
  text: string
  /** The returned columns; a test compares them with the migrated schema. */
  columns?: Columns
  /** The columns of the optional side of an outer join: all of them are null when it has no row. */
  outer?: Columns
  /** Only for the type checker; no statement has it. */
  readonly row?: Row
}

/**
 * The narrow interface that both drivers implement. Both return the same value types (`result-values.ts`): `bigint` as
 * number, `timestamptz` as Date, `json` parsed. Methods throw {@link SqlError} for errors of the database.
 */
export interface SqlClient {
  /** Runs a named statement; rows are keyed by column name. */
  query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]>
  /** Runs SQL from a query builder; rows are arrays in column order. */
  execute(text: string, values: readonly SqlValue[]): Promise<unknown[][]>
}

/** A connected driver. Disposing waits for running statements and then closes it. */
export interface SqlDriver extends SqlClient, AsyncDisposable {
  /** Commits when `work` resolves, rolls back when it throws; `work` must use only the client passed to it. */
  transaction<T>(work: (client: SqlClient) => Promise<T>): Promise<T>
  /** Runs several statements separated by semicolons, without values; in one transaction. */
  script(text: string): Promise<void>
}

/** An error that the database reported, in the same form from both drivers. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  /** SQLSTATE, or null when the connection failed before the database could answer. */
  readonly code: string | null
  /** The violated constraint, if one was. */
  readonly constraint: string | null

  constructor(cause: Error & { code?: unknown; constraint?: unknown }) {
    super(cause.message, { cause })
    const code = typeof cause.code === 'string' ? cause.code : ''
    this.code = /^[0-9A-Z]{5}$/.test(code) ? code : null
    this.constraint = typeof cause.constraint === 'string' ? cause.constraint : null
  }
}

/** The driver's error as {@link SqlError}; anything else unchanged. */
export function toSqlError(error: unknown): unknown {
  return error instanceof Error && !(error instanceof SqlError) ? new SqlError(error) : error
}
