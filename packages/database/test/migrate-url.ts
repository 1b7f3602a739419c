import { migrate, openPool } from '@troupe/sql'
import { knownMigrations } from '../src/known-migrations.ts'

/** Migrates a test's template database, outside of any lock on it. */
export async function migrateUrl(url: string): Promise<void> {
  await using pool = openPool({ url, size: 1, onError: () => {} })
  await migrate(pool, await knownMigrations())
}
