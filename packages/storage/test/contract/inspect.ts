import type { SqlClient } from '../../src/sql/client/sql-client.ts'

/** Counts rows of a table, for state that no reader returns. */
export async function rowsWhere(
  client: SqlClient,
  table: string,
  column: string,
  value: string,
): Promise<Record<string, unknown>[]> {
  const statement = {
    name: `inspect_${table}_${column}`,
    text: `select * from ${table} where ${column}::text = $1`,
  }
  return client.query<Record<string, unknown>>(statement, [value])
}
