import { constants, createReadStream } from 'node:fs'
import { access, copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'
import { requireStorageKey } from './storage-key.ts'

/** Stores files in a local folder. */
export function createDiskFileStore(directory: string): FileStore {
  const pathOf = (key: string) => join(directory, requireStorageKey(key))
  return {
    async put(key, { path }) {
      const target = pathOf(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        await rename(path, target)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
        await copyFile(path, target, constants.COPYFILE_EXCL)
      }
      // A file that was acknowledged with 201 survives a power failure.
      await using file = await open(target)
      await file.sync()
    },
    async open(key) {
      const path = pathOf(key)
      const found = await stat(path).catch(ifMissing)
      return found?.isFile() ? createReadStream(path) : null
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
    async ping() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await access(directory, constants.W_OK)
    },
  }
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
