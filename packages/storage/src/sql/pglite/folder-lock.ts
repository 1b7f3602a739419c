import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type FileLock, takeFileLock, tryFileLock } from '@troupe/file-locks'
import { DatabaseInUseError } from '../client/database-in-use-error.ts'
import { databaseFolder } from './new-folder.ts'
import { readOwner, removeOwner, writeOwner } from './owner-file.ts'

/**
 * The file whose lock is the ownership of the folder. Empty, and never removed: otherwise two processes could lock two
 * different files.
 */
const LOCK = 'owner.lock'
/**
 * Builds from before the first release wrote a process id here. It proves nothing, because the machine may reuse it
 * after a restart.
 */
const FORMER_LOCK = 'lock'
/** Milliseconds that a predecessor may still take to exit: a killed process keeps its lock until the kernel has reaped it. */
const WAIT_MS = 2_000
/** Interval at which an owner checks that its lock file still exists. */
const WATCH_MS = 1_000
/** Longer than an owner needs to notice that its lock file was removed. */
const NOTICE_MS = 2_000

/** Folders that this process has open or is opening. */
const ours = new Set<string>()

/** This process no longer owns the data folder, and must exit without another write. */
export class FolderLostError extends Error {
  override readonly name = 'FolderLostError'

  constructor(folder: string) {
    super(
      `The lock file ${join(folder, LOCK)} was removed or replaced while the folder was in use, and this process cannot lock it again, so it exits. Accepted data is stored. Never remove this file: a lock ends with its process.`,
    )
  }
}

/**
 * Makes this process the owner of the folder, creating it if needed: the kernel keeps a lock on a file in it, so the
 * owner is exactly one live process, in any container. Waits up to two seconds for an owner that is exiting.
 *
 * `onLost` is called when the lock file was removed and another process has locked a new one: this process must then
 * exit.
 *
 * @throws DatabaseInUseError with an error message for the operator when another process, or this one, owns the folder;
 * FileLockError; or the system's error when the folder cannot be written to
 */
export async function lockFolder(directory: string, onLost: (error: Error) => void): Promise<Disposable> {
  mkdirSync(directory, { recursive: true })
  const folder = realpathSync(directory)
  if (ours.has(folder))
    throw new DatabaseInUseError(`This process has already opened the data folder ${directory}.`)
  ours.add(folder)
  try {
    const lock = await takeFileLock(join(folder, LOCK), WAIT_MS)
    if (lock === null) throw new DatabaseInUseError(heldBy(folder, directory))
    // The database has no lock file: it is a copy, or the file of a running owner was removed, which the owner will
    // notice.
    if (lock.isNew && existsSync(join(databaseFolder(folder), 'PG_VERSION'))) await pause(NOTICE_MS)
    rmSync(join(folder, FORMER_LOCK), { force: true })
    writeOwner(folder)
    return keep(folder, lock, onLost)
  } catch (error) {
    ours.delete(folder)
    throw error
  }
}

/** Watches the lock file until the folder is released. */
function keep(folder: string, taken: FileLock, onLost: (error: Error) => void): Disposable {
  let lock = taken
  let isKept = true
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    const isIntact = await lock.isIntact()
    isLooking = false
    if (isIntact || !isKept) return
    const again = lockAgain(folder)
    if (again === null) {
      clearInterval(timer)
      return onLost(new FolderLostError(folder))
    }
    lock[Symbol.dispose]()
    lock = again
    writeOwner(folder)
  }
  const timer = setInterval(look, WATCH_MS).unref()
  return {
    [Symbol.dispose]() {
      if (!isKept) return
      isKept = false
      clearInterval(timer)
      removeOwner(folder)
      lock[Symbol.dispose]()
      ours.delete(folder)
    },
  }
}

/** null if another process was faster, or the folder is gone. */
function lockAgain(folder: string): FileLock | null {
  try {
    return tryFileLock(join(folder, LOCK))
  } catch {
    return null
  }
}

/** The owner is reported by its own description: a process id is valid only where it was written. */
function heldBy(folder: string, directory: string): string {
  const owner = readOwner(folder)
  const advice =
    'One process at a time can use an embedded database. Stop that server where it was started, or set TROUPE_DATA_DIR to another folder.'
  if (owner === null) return `Another process uses the data folder ${directory}. ${advice}`
  const place = owner.isElsewhere ? ' in another container or PID namespace' : ''
  return `Another Troupe process (pid ${owner.pid} on host ${owner.host}${place}, since ${owner.since}) uses the data folder ${directory}. ${advice}`
}
