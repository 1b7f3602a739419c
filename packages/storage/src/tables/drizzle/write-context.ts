import type { Signal } from '@troupe/durable-work'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import type { Drizzle } from './drizzle.ts'

/** The context of a writer: the open transaction, and the signals to send on commit. */
export interface WriteContext {
  db: Drizzle
  /** The same transaction, for hand-written statements. */
  client: SqlClient
  /** Collected and sent within the transaction, just before its commit: a rollback sends nothing. */
  signal(signal: Signal): void
}

/** An update of a row that does not exist. */
class MissingRowError extends Error {
  override readonly name = 'MissingRowError'
}

/** The only row of an update; throws if the update found none. */
export function onlyRow<Row>(rows: readonly Row[], what: string): Row {
  const [row] = rows
  if (!row) throw new MissingRowError(`There is no ${what} to update.`)
  return row
}
