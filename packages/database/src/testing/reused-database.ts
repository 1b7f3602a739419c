import { openReusedPglite } from '@troupe/sql/reused-pglite'
import type { Database } from '../database.ts'
import { knownMigrations } from '../known-migrations.ts'
import { databaseOver } from '../open-pglite.ts'

/** A migrated embedded database in memory without any row, for tests: new, or emptied after an earlier use in this process. */
export async function openReusedDatabase(): Promise<Database> {
  const migrations = await knownMigrations()
  return databaseOver(await openReusedPglite(migrations), migrations)
}
