import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'

/** Creates the data folder, readable by its owner only. An existing folder keeps its mode. */
export async function createDataFolder(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (created !== undefined) await chmod(directory, 0o700)
}

/**
 * Reads a file of the data folder, or creates it with `make()` and mode 0600. Race-safe: the file gets its name once its content is
 * complete; of two concurrent starts one wins, and both read its file.
 */
export async function readOrCreateFile(directory: string, name: string, make: () => string): Promise<string> {
  const path = join(directory, name)
  const existing = await readIfPresent(path)
  if (existing !== null) return existing
  await createDataFolder(directory)
  const draft = join(directory, `.${name}.${randomUUID()}`)
  try {
    await writeFile(draft, `${make()}\n`, { mode: 0o600, flag: 'wx' })
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      // Some network file systems have no hard links. A rename is still atomic, but the last process wins.
      if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(draft, path)
      throw error
    })
  } catch (error) {
    if (propertyOf(error, 'code') !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (propertyOf(error, 'code') === 'ENOENT') return null
    throw error
  }
}
