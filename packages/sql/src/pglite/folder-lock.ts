import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseInUseError } from '../client/database-in-use-error.ts'

/**
 * Folders that this process has open: a lock with this process's pid is stale unless its folder is listed
 * here.
 */
const ours = new Set<string>()

/**
 * Locks the folder for this process, creating it if needed. Throws with a sentence for the operator when
 * another live process, or this one, holds the lock. The lock of a dead process is taken over.
 */
export function lockFolder(directory: string): Disposable {
  mkdirSync(directory, { recursive: true })
  const folder = realpathSync(directory)
  if (ours.has(folder))
    throw new DatabaseInUseError(`This process has already opened the data folder ${directory}.`)
  const path = join(folder, 'lock')
  // Two attempts: the second after a stale lock was moved away. Losing that race means that a live process
  // holds it.
  for (let attempt = 0; !createWhole(path, `${process.pid}\n`); attempt += 1) {
    const holder = holderOf(path)
    if (holder !== null && (isAlive(holder) || attempt > 1)) {
      throw new DatabaseInUseError(
        `Another Troupe process (pid ${holder}) uses the data folder ${directory}. Stop it, or set TROUPE_DATA_DIR to another folder.`,
      )
    }
    if (holder !== null) moveAwayStale(path, holder)
  }
  ours.add(folder)
  return {
    [Symbol.dispose]() {
      if (ours.delete(folder) && holderOf(path) === process.pid) rmSync(path, { force: true })
    },
  }
}

/** Creates a file with its content atomically, so that no reader sees it empty. False when it exists. */
function createWhole(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.${randomUUID()}`
  writeFileSync(draft, content)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The code of a system error; undefined for any other value. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** The pid in the lock; 0 when its content is not a pid; null when there is no lock. */
function holderOf(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    return Number.isSafeInteger(pid) && pid > 0 ? pid : 0
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether another process with this pid is running. */
export function isAlive(pid: number): boolean {
  // A predecessor with the same pid wrote this process's pid, as in a restarted container.
  if (pid === 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Renames the lock away instead of deleting it: when two processes find it stale, one may meanwhile hold a
 * fresh lock under the same name. A process that moved a fresh lock puts it back.
 */
function moveAwayStale(path: string, stale: number): void {
  const aside = `${path}.stale.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (holderOf(aside) !== stale) {
    try {
      linkSync(aside, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  rmSync(aside, { force: true })
}
