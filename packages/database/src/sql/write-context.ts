import type { Signal } from '@troupe/turns'
import type { Drizzle } from './drizzle.ts'

/** What a writer works with: the open transaction, and what processes shall hear when it commits. */
export interface WriteContext {
  db: Drizzle
  /** Collected, and sent in the transaction before its commit: nobody hears of what was rolled back. */
  signal(signal: Signal): void
}

/** An update named a row that is not there. */
class MissingRowError extends Error {
  override readonly name = 'MissingRowError'
}

/** The only row of an update; throws when the update found none. */
export function onlyRow<Row>(rows: readonly Row[], what: string): Row {
  const [row] = rows
  if (!row) throw new MissingRowError(`There is no ${what} to update.`)
  return row
}
