import type { Database } from '../database.ts'
import { knownMigrations } from '../known-migrations.ts'
import { databaseOver } from '../open-pglite.ts'
import type { SqlClient, SqlDriver } from '../sql/client/sql-client.ts'
import { openReusedPglite } from '../sql/testing/reused-pglite.ts'

/**
 * A migrated embedded database in memory without any row, for tests: new, or emptied after an earlier use in this
 * process.
 *
 * @param sent called with each statement: the name of a hand-written one, the text of one from the query builder
 */
export async function openReusedDatabase(sent: (statement: string) => void = () => {}): Promise<Database> {
  const migrations = await knownMigrations()
  const embedded = await openReusedPglite(migrations)
  return databaseOver({ ...embedded, driver: observedDriver(embedded.driver, sent) }, migrations)
}

function observedDriver(driver: SqlDriver, sent: (statement: string) => void): SqlDriver {
  return {
    ...observedClient(driver, sent),
    transaction: (work) => driver.transaction((client) => work(observedClient(client, sent))),
    script: (text) => driver.script(text),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  }
}

function observedClient(client: SqlClient, sent: (statement: string) => void): SqlClient {
  return {
    query: (statement, values) => {
      sent(statement.name)
      return client.query(statement, values)
    },
    execute: (text, values) => {
      sent(text)
      return client.execute(text, values)
    },
  }
}
