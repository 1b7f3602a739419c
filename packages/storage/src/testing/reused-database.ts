import type { Database } from '../database.ts'
import { knownMigrations } from '../known-migrations.ts'
import { databaseOver } from '../open-pglite.ts'
import type { SqlClient, SqlDriver, SqlValue } from '../sql/client/sql-client.ts'
import { openReusedPglite } from '../sql/testing/reused-pglite.ts'

type Sent = (statement: string, values: readonly SqlValue[]) => void

/**
 * A migrated embedded database in memory without any row, for tests: new, or emptied after an earlier use in this
 * process.
 *
 * @param sent called with each statement: the name of a hand-written one, the text of one from the query builder; and its values
 */
export async function openReusedDatabase(sent: Sent = () => {}): Promise<Database> {
  const migrations = await knownMigrations()
  const embedded = await openReusedPglite(migrations)
  return databaseOver({ ...embedded, driver: observedDriver(embedded.driver, sent) }, migrations)
}

function observedDriver(driver: SqlDriver, sent: Sent): SqlDriver {
  return {
    ...observedClient(driver, sent),
    transaction: (work) => driver.transaction((client) => work(observedClient(client, sent))),
    script: (text) => driver.script(text),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  }
}

function observedClient(client: SqlClient, sent: Sent): SqlClient {
  return {
    query: (statement, values) => {
      sent(statement.name, values)
      return client.query(statement, values)
    },
    execute: (text, values) => {
      sent(text, values)
      return client.execute(text, values)
    },
  }
}
