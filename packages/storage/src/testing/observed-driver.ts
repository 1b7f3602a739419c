import type { SqlClient, SqlDriver, SqlValue, Statement } from '../sql/client/sql-client.ts'

/** Called with each statement and its values. */
export type Sent = (statement: string, values: readonly SqlValue[]) => void

/**
 * The catalogue does not know whether an expression or the nullable side of an outer join can be null. So each test is
 * also a test of the declared columns.
 *
 * @throws Error for a null in a column that is declared without
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
 * A driver that refuses a null in a column that is declared without, for tests.
 *
 * @param sent called with each statement: the name of a hand-written one, the text of one from the query builder
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
