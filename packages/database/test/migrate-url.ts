import { migrate } from '../src/migrate/migrate.ts'
import { openPool } from '../src/postgres/pool-driver.ts'

/** Migrates a test's template database, outside of any lock on it. */
export async function migrateUrl(url: string): Promise<void> {
  await using pool = openPool({ url, size: 1, onError: () => {} })
  await migrate(pool)
}
