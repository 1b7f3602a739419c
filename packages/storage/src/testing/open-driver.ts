import type { DatabaseOptions } from '../database.ts'
import { knownMigrations } from '../known-migrations.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { migrate } from '../sql/migrate/migrate.ts'
import { openPool } from '../sql/postgres/pool-driver.ts'
import { startBarePglite } from '../sql/testing/bare-pglite.ts'

/**
 * The driver of a database without the locks that exclude other processes, for measuring bare statements. No other
 * process may use an embedded database meanwhile; `directory` is its folder, as for `openDatabase`.
 */
export async function openDriver(options: DatabaseOptions): Promise<SqlDriver> {
  const migrations = await knownMigrations()
  const driver =
    options.kind === 'postgres'
      ? openPool({ url: options.url, size: options.poolSize, onError: () => {} })
      : (await startBarePglite(options.directory, migrations)).driver
  await migrate(driver, migrations)
  return driver
}
