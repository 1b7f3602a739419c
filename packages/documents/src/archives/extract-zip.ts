import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { BadArchive, eachFile, sameNameTwice, type ZipLimits } from './zip-files.ts'

/** The limits of an archive that is extracted to disk. */
export interface ExtractLimits extends ZipLimits {
  /** The maximum inflation factor, checked once more than {@link SMALL_BYTES} are inflated. */
  ratio: number
}

/** Texts inflate to many times their size; below this many bytes that is harmless. */
const SMALL_BYTES = 16 * 1024 * 1024

/**
 * Writes the files of a zip archive into an empty folder, one at a time. Only regular files and folders are created,
 * whatever types the archive declares. There are at most as many folders as entries. On an error the caller deletes the
 * folder.
 *
 * @param signal ends it after the file that is being written; its reason is thrown
 * @throws BadArchive for any archive that is broken, encrypted or above the limits, or that has a path outside it or
 * twice
 */
export async function extractZip(
  archive: string,
  directory: string,
  limits: ExtractLimits,
  signal?: AbortSignal,
): Promise<void> {
  const { size } = await stat(archive)
  const { entries, ratio } = limits
  const inflatedBytes = Math.min(limits.inflatedBytes, Math.max(SMALL_BYTES, size * ratio))
  const most =
    inflatedBytes === limits.inflatedBytes ? `${inflatedBytes / 1024 / 1024} MB` : `${ratio} times its size`
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const folders = new Set<string>()
  const zip = openPromise(archive, { lazyEntries: true, validateEntrySizes: true })
  const tooMuch = `The files of the archive have more than ${most}.`
  await eachFile(zip, { entries, inflatedBytes, tooMuch, ...(signal && { signal }) }, async (path, bytes) => {
    const parent = dirname(path)
    const isNew = parent !== '.' && !folders.has(parent)
    // One path may have hundreds of folders.
    for (let folder = parent; folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder)
      if (folders.size > entries) throw new BadArchive(`The archive has more than ${entries} folders.`)
    }
    try {
      if (isNew) await mkdir(join(directory, parent), { recursive: true, mode: 0o700 })
      const file = createWriteStream(join(directory, path), { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(bytes), file)
    } catch (error) {
      throw refusal(error)
    }
  })
}

/** Names that differ only in case are one file on some disks. The sentence contains no paths of this machine. */
function refusal(error: unknown): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'EEXIST':
    case 'ENOTDIR':
    case 'EISDIR':
      return sameNameTwice(error)
    case 'ENAMETOOLONG':
      return new BadArchive('The archive has a name that is too long.', { cause: error })
    default:
      return error
  }
}
