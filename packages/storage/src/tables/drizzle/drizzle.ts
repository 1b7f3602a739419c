import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import type { SqlClient, SqlValue } from '../../sql/client/sql-client.ts'

/**
 * Drizzle's query builder over an `SqlClient`, so that both drivers run the same SQL and parse the same
 * values.
 */
export type Drizzle = PgRemoteDatabase

export function drizzleOver(client: SqlClient): Drizzle {
  return drizzle(async (text, values) => ({ rows: await client.execute(text, values as SqlValue[]) }))
}
