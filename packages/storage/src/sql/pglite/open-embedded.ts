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
  /** The data folder (`owner.lock` and `pglite/` in it), created if needed; null: in memory. */
  directory: string | null
  /**
   * Called once the database can no longer be used: its code has crashed, or another process has taken the folder. The process must end.
   */
  onBroken?: ((error: Error) => void) | undefined
}

/**
 * Opens an embedded database and creates it if needed; the caller migrates it. Throws with an error message for the operator
 * when another process owns the folder.
 */
export async function openEmbedded({ onBroken, ...options }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const onLost = (error: Error) => {
    // Without a listener, the error ends the process, like an unhandled rejection.
    if (onBroken === undefined) throw error
    onBroken(error)
  }
  const lock = options.directory === null ? null : await lockFolder(options.directory, onLost)
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
        // A database that could not be closed may still write, so its folder is not released.
        await driver[Symbol.asyncDispose]()
        lock?.[Symbol.dispose]()
      },
    }
  } catch (error) {
    lock?.[Symbol.dispose]()
    throw error
  }
}
