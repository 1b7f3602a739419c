import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { composeDatabase } from '../compose-database.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate/migrate.ts'
import { CHANNEL, Listeners } from '../signals/listeners.ts'
import { localSignals } from '../signals/local-signals.ts'
import { lockFolder } from './folder-lock.ts'
import { pgliteDriver } from './pglite-driver.ts'

/**
 * Opens the embedded database in `directory` (`lock` and `pglite/` in it; null: in memory), creating and migrating it.
 * Throws with a sentence for people when another process has the folder.
 */
export async function openPglite(directory: string | null): Promise<Database> {
  const lock = directory === null ? null : lockFolder(directory)
  try {
    const pglite = await PGlite.create(directory === null ? {} : { dataDir: join(directory, 'pglite') })
    const driver = pgliteDriver(pglite)
    const listeners = new Listeners()
    const close = async () => {
      await driver[Symbol.asyncDispose]()
      listeners.clear()
      lock?.[Symbol.dispose]()
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
      signals: localSignals(listeners),
      exclusive: () => true,
      close,
    })
  } catch (error) {
    lock?.[Symbol.dispose]()
    throw error
  }
}
