import { knownMigrations } from '../src/known-migrations.ts'
import { migrate } from '../src/sql/migrate/migrate.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'

/** Migrates a template database for tests, without a lock on it. */
export async function migrateUrl(url: string): Promise<void> {
  await using pool = openPool({ url, size: 1, onError: () => {} })
  await migrate(pool, await knownMigrations())
}
