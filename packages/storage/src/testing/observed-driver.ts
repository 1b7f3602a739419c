import type { SqlClient, SqlDriver, SqlValue, Statement } from '../sql/client/sql-client.ts'

/** Called with each statement and its values. */
export type Sent = (statement: string, values: readonly SqlValue[]) => void

/**
 * The catalogue does not know whether an expression or the nullable side of an outer join can be null. With this check,
 * every test that runs a statement also verifies its declared columns.
 *
 * @throws Error for a null in a column that is not declared nullable
 */
function expectDeclared<Row>({ name, columns = {}, outer = {} }: Statement<Row>, rows: Row[]): Row[] {
  const optional = Object.keys(outer)
  for (const row of rows as Readonly<Record<string, unknown>>[]) {
    const isJoined = optional.some((column) => row[column] !== null)
    const declared = isJoined ? { ...columns, ...outer } : columns
    for (const [column, { nulls }] of Object.entries(declared)) {
      if (nulls !== 'possible' && row[column] === null) {
        throw new Error(`${name}: ${column} is null, and is declared to be never null`)
      }
    }
  }
  return rows
}

/**
 * A driver for tests that refuses a null in a column that is not declared nullable.
 *
 * @param sent called with each statement: its name if it is hand-written, its text if the query builder made it
 */
export function observedDriver(driver: SqlDriver, sent: Sent = () => {}): SqlDriver {
  return {
    ...observedClient(driver, sent),
    transaction: (work) => driver.transaction((client) => work(observedClient(client, sent))),
    script: (text) => driver.script(text),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  }
}

function observedClient(client: SqlClient, sent: Sent): SqlClient {
  return {
    query: async (statement, values) => {
      sent(statement.name, values)
      return expectDeclared(statement, await client.query(statement, values))
    },
    execute: (text, values) => {
      sent(text, values)
      return client.execute(text, values)
    },
  }
}
