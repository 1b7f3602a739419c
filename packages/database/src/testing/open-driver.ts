import { mkdir } from 'node:fs/promises'
import type { DatabaseOptions } from '../database.ts'
import { migrate } from '../migrate/migrate.ts'
import { pgliteDriver } from '../pglite/pglite-driver.ts'
import { startPglite } from '../pglite/start-pglite.ts'
import { openPool } from '../postgres/pool-driver.ts'
import type { SqlDriver } from '../sql/sql-client.ts'

/**
 * The driver under a database without the locks that exclude other processes, for measuring what bare
 * statements cost. An embedded database must have no other user; `directory` is its folder, as for
 * `openDatabase`.
 */
export async function openDriver(options: DatabaseOptions): Promise<SqlDriver> {
  const driver = await openBare(options)
  await migrate(driver)
  return driver
}

async function openBare(options: DatabaseOptions): Promise<SqlDriver> {
  if (options.kind === 'postgres') {
    return openPool({ url: options.url, size: options.poolSize, onError: () => {} })
  }
  const { directory } = options
  if (directory !== null) await mkdir(directory, { recursive: true })
  return pgliteDriver(await startPglite({ directory, notice: () => {} }))
}
