import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { inflated } from './inflated.ts'
import { BadArchive, type ZipLimits } from './read-zip.ts'

/** What an archive may hold that is extracted to disk. */
export interface ExtractLimits extends ZipLimits {
  /** How many times its own size an archive may inflate to, where that is more than {@link SMALL_BYTES}. */
  ratio: number
}

/** Texts inflate to many times their size; below this many bytes that does no harm. */
const SMALL_BYTES = 16 * 1024 * 1024
/** Bytes of a path, as most file systems allow. */
const MAX_PATH = 1_024

/**
 * Writes the files of a zip archive into an empty folder, one at a time. Only regular files and folders are made, whatever the archive
 * says that its entries are. On an error the caller deletes the folder.
 *
 * @throws BadArchive for any archive that is broken, encrypted or above the limits, or that has a path outside of it or twice
 */
export async function extractZip(archive: string, directory: string, limits: ExtractLimits): Promise<void> {
  const { size } = await stat(archive)
  const mostBytes = Math.min(limits.inflatedBytes, Math.max(SMALL_BYTES, size * limits.ratio))
  let left = mostBytes
  let count = 0
  try {
    // Names with `..`, a drive or a leading slash are refused by the library.
    const zip = await openPromise(archive, { lazyEntries: true, validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      const path: string = entry.fileName
      count += 1
      if (count > limits.entries) throw new BadArchive(`The archive has more than ${limits.entries} entries.`)
      if (path.endsWith('/')) continue
      if (Buffer.byteLength(path) > MAX_PATH || path.includes('\0')) {
        throw new BadArchive('The archive has a path that is too long or has a character that no path has.')
      }
      if (entry.uncompressedSize > left) throw new BadArchive(tooMuch(mostBytes, limits))
      const target = join(directory, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const file = createWriteStream(target, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(inflated(zip, entry, left)), file)
      left -= file.bytesWritten
    }
  } catch (error) {
    if (error instanceof BadArchive) throw error
    throw new BadArchive(`The archive cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

function tooMuch(mostBytes: number, { inflatedBytes, ratio }: ExtractLimits): string {
  return mostBytes === inflatedBytes
    ? `The files of the archive have more than ${inflatedBytes / 1024 / 1024} MB.`
    : `The files of the archive have more than ${ratio} times its size.`
}

/** Names that differ in case only are one file on some disks. Paths of this machine stay out of the sentence. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it is broken'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR') return 'it has the same name twice'
  if (code === 'ENAMETOOLONG') return 'it has a name that is too long'
  if ('syscall' in error) throw error
  return error.message.slice(0, 200).replace(/\.$/, '')
}
