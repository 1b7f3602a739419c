import { mkdir } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { SqlDriver } from '../client/sql-client.ts'
import type { Migration } from '../migrate/migrate.ts'
import { pgliteDriver } from '../pglite/pglite-driver.ts'
import { startPglite } from '../pglite/start-pglite.ts'

/** An embedded database without the lock of its folder and without checkpoints; no other process may use it. */
export interface BarePglite {
  pglite: PGlite
  /** Disposing it closes the database. */
  driver: SqlDriver
}

/** Starts an embedded database in a data folder, created if needed, or in memory (null). The caller migrates it. */
export async function startBarePglite(
  directory: string | null,
  migrations: readonly Migration[],
): Promise<BarePglite> {
  if (directory !== null) await mkdir(directory, { recursive: true })
  const pglite = await startPglite({ directory, migrations, notice: () => {} })
  return { pglite, driver: pgliteDriver(pglite) }
}
