import type { SqlDriver } from '../client/sql-client.ts'
import { keepCheckpoints } from './checkpoints.ts'
import { lockFolder } from './folder-lock.ts'
import { pgliteDriver } from './pglite-driver.ts'
import { type StartOptions, startPglite } from './start-pglite.ts'
import { type Upkeep, upkeepOf } from './vacuum.ts'

/** An embedded database that runs in this process. Disposing closes it and unlocks its folder. */
export interface EmbeddedPostgres extends AsyncDisposable {
  driver: SqlDriver
  upkeep: Upkeep
  /** Calls `listener` with the payload of every notification on a channel. */
  listen(channel: string, listener: (payload: string) => void): Promise<void>
}

/** How to open an embedded database. */
export interface EmbeddedOptions extends Omit<StartOptions, 'directory'> {
  /** The data folder (`lock` and `pglite/` in it), created if needed; null: in memory. */
  directory: string | null
  /** Called once the database's code has crashed: every later call fails or never returns. */
  onBroken?: ((error: Error) => void) | undefined
}

/**
 * Opens an embedded database and creates it if needed; the caller migrates it. Throws with a sentence for the operator
 * when another process has locked the folder.
 */
export async function openEmbedded({ onBroken, ...options }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const lock = options.directory === null ? null : lockFolder(options.directory)
  try {
    const pglite = await startPglite(options)
    const driver = pgliteDriver(pglite, onBroken)
    const checkpoints = keepCheckpoints(pglite)
    return {
      driver,
      upkeep: upkeepOf(pglite),
      async listen(channel, listener) {
        await pglite.listen(channel, listener)
      },
      async [Symbol.asyncDispose]() {
        checkpoints[Symbol.dispose]()
        await driver[Symbol.asyncDispose]()
        lock?.[Symbol.dispose]()
      },
    }
  } catch (error) {
    lock?.[Symbol.dispose]()
    throw error
  }
}
