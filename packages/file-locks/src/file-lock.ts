import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds between two attempts to take a lock that another process holds. */
const RETRY_MS = 40

/** Result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte is the primary code. */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_IOERR = 10

/** A lock cannot be used, regardless of its holder. The message is for the operator. */
export class FileLockError extends Error {
  override readonly name = 'FileLockError'
}

/**
 * A lock on a file, held by the kernel for this process. It is released when the process ends in any way, is visible in every PID namespace
 * and container that has the file, and is not inherited by child processes. Disposing releases it; the file remains.
 */
export interface FileLock extends Disposable {
  /** Whether the file did not exist before this lock was taken. */
  readonly isNew: boolean
  /** Whether the path still names the locked file. A process that removes or replaces it can lock a file that this lock does not cover. */
  isIntact(): Promise<boolean>
}

/** A garbage-collected connection is closed, which would release its lock. */
const held = new Set<DatabaseSync>()

/**
 * Takes the lock without waiting; null when it is held by another process or elsewhere in this one. The file is created if needed, and
 * stays empty.
 *
 * SQLite takes the lock: POSIX record locks (`fcntl`) or `LockFileEx`, through a part of Node that needs neither a compiler nor a download.
 * A transaction that has begun with a write lock (`RESERVED`) excludes every other one, and the kernel decides between two that begin
 * simultaneously. A record lock is released when its process closes *any* descriptor of the file: SQLite guards its own descriptors, and
 * nothing else in a process that holds a lock may open the file, not even to copy it.
 *
 * @throws FileLockError; or the system's error when the file cannot be created or written
 */
export function tryFileLock(path: string): FileLock | null {
  const isNew = createIfMissing(path)
  const identity = fileAt(path)
  if (identity === null) return null
  const database = open(path)
  try {
    // A journal file would be left behind by a killed process.
    database.exec('pragma journal_mode = memory')
    database.exec('begin immediate')
  } catch (error) {
    database.close()
    if ([SQLITE_BUSY, SQLITE_LOCKED].includes(codeOf(error) & 0xff)) return null
    throw unusable(path, error)
  }
  // Replaced between the two calls: this lock would be on the previous file.
  if (fileAt(path) !== identity) {
    database.close()
    return null
  }
  held.add(database)
  return {
    isNew,
    async isIntact() {
      try {
        const { dev, ino } = await stat(path, { bigint: true })
        return `${dev}:${ino}` === identity
      } catch (error) {
        // An unresponsive file system does not reveal anything about the lock.
        return !isMissing(error)
      }
    },
    [Symbol.dispose]() {
      if (held.delete(database)) database.close()
    },
  }
}

/**
 * Takes the lock, and waits while another process holds it.
 *
 * @param waitMs milliseconds
 * @returns null when it is still held after that time
 * @throws as tryFileLock
 */
export async function takeFileLock(path: string, waitMs: number): Promise<FileLock | null> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const lock = tryFileLock(path)
    if (lock !== null || performance.now() >= endMs) return lock
    await pause(RETRY_MS)
  }
}

/** Whether it was created by this call. SQLite's own errors do not explain why a file cannot be opened; those of the system do. */
function createIfMissing(path: string): boolean {
  try {
    // Fails for an existing file without opening it.
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    accessSync(path, constants.R_OK | constants.W_OK)
    return false
  }
}

/** Identifies the file that the path names; null if there is none. */
function fileAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): FileLockError {
  const reason = error instanceof Error ? error.message : String(error)
  const sentence =
    (codeOf(error) & 0xff) === SQLITE_IOERR
      ? `The file ${path} cannot be locked (${reason}): the disk has failed, or its file system does not support locks, like some network file systems.`
      : `The lock file ${path} cannot be used (${reason}). It must be an empty file: move it away.`
  return new FileLockError(sentence, { cause: error })
}

/** The extended result code of SQLite; 0 for any other error. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
