import { composeDatabase } from './compose-database.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { knownMigrations } from './known-migrations.ts'
import { CHANNEL, Listeners } from './listen-notify/listeners.ts'
import { localSignals } from './listen-notify/local-signals.ts'
import { type Migration, migrate } from './sql/migrate/migrate.ts'
import { type EmbeddedPostgres, openEmbedded } from './sql/pglite/open-embedded.ts'

type PgliteOptions = Extract<DatabaseOptions, { kind: 'pglite' }>

/**
 * Opens the embedded database in `directory` (`lock` and `pglite/` in it; null: in memory), creating and
 * migrating it. Throws with an error message for the operator when another process has locked the folder.
 */
export async function openPglite({
  directory,
  notice = () => {},
  onBroken,
}: PgliteOptions): Promise<Database> {
  const migrations = await knownMigrations()
  return databaseOver(await openEmbedded({ directory, notice, onBroken, migrations }), migrations)
}

/** The database over an embedded one, which it migrates and then owns. */
export async function databaseOver(
  embedded: EmbeddedPostgres,
  migrations: readonly Migration[],
): Promise<Database> {
  const { driver, upkeep } = embedded
  const listeners = new Listeners()
  const close = async () => {
    listeners.clear()
    await embedded[Symbol.asyncDispose]()
  }
  try {
    await migrate(driver, migrations)
    await embedded.listen(CHANNEL, (payload) => listeners.tellPayload(payload))
  } catch (error) {
    await close()
    throw error
  }
  return composeDatabase({
    kind: 'pglite',
    driver,
    dutyDriver: driver,
    upkeep,
    signals: localSignals(listeners),
    listeners,
    exclusive: () => true,
    close,
  })
}
