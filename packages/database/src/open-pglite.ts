import type { PGlite } from '@electric-sql/pglite'
import { composeDatabase } from './compose-database.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { migrate } from './migrate/migrate.ts'
import { keepCheckpoints } from './pglite/checkpoints.ts'
import { lockFolder } from './pglite/folder-lock.ts'
import { pgliteDriver } from './pglite/pglite-driver.ts'
import { startPglite } from './pglite/start-pglite.ts'
import { upkeepOf } from './pglite/vacuum.ts'
import { CHANNEL, Listeners } from './signals/listeners.ts'
import { localSignals } from './signals/local-signals.ts'

type PgliteOptions = Extract<DatabaseOptions, { kind: 'pglite' }>

/**
 * Opens the embedded database in `directory` (`lock` and `pglite/` in it; null: in memory), creating and
 * migrating it. Throws with a sentence for the operator when another process has locked the folder.
 */
export async function openPglite({
  directory,
  notice = () => {},
  onBroken,
}: PgliteOptions): Promise<Database> {
  const lock = directory === null ? null : lockFolder(directory)
  const unlock = () => lock?.[Symbol.dispose]()
  try {
    return await databaseOver(await startPglite({ directory, notice }), unlock, onBroken)
  } catch (error) {
    unlock()
    throw error
  }
}

/** The database over an instance that it owns from now on; `onClosed` runs when the instance is closed. */
export async function databaseOver(
  pglite: PGlite,
  onClosed: () => void,
  onBroken?: (error: Error) => void,
): Promise<Database> {
  const driver = pgliteDriver(pglite, onBroken)
  const listeners = new Listeners()
  const checkpoints = keepCheckpoints(pglite)
  const close = async () => {
    checkpoints[Symbol.dispose]()
    listeners.clear()
    await driver[Symbol.asyncDispose]()
    onClosed()
  }
  try {
    await migrate(driver)
    await pglite.listen(CHANNEL, (payload) => listeners.tellPayload(payload))
  } catch (error) {
    await close()
    throw error
  }
  return composeDatabase({
    kind: 'pglite',
    driver,
    dutyDriver: driver,
    upkeep: upkeepOf(pglite),
    signals: localSignals(listeners),
    listeners,
    exclusive: () => true,
    close,
  })
}
