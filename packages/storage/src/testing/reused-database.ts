import type { Database } from '../database.ts'
import { knownMigrations } from '../known-migrations.ts'
import { databaseOver } from '../open-pglite.ts'
import { openReusedPglite } from '../sql/testing/reused-pglite.ts'
import { observedDriver, type Sent } from './observed-driver.ts'

/**
 * A migrated embedded database in memory without any rows, for tests: new, or emptied after an earlier use in this
 * process.
 *
 * @param sent called with each statement and its values: its name if it is hand-written, its text if the query builder
 * made it
 */
export async function openReusedDatabase(sent: Sent = () => {}): Promise<Database> {
  const migrations = await knownMigrations()
  const embedded = await openReusedPglite(migrations)
  return databaseOver({ ...embedded, driver: observedDriver(embedded.driver, sent) }, migrations)
}
