import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { inflated } from './inflated.ts'

/** The limits of an archive. */
export interface ZipLimits {
  entries: number
  inflatedBytes: number
}

/** An archive that cannot be read, with the reason as a sentence for its sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

/** Maximum length of a path in bytes; most file systems allow it. */
const MAX_PATH = 1_024

/**
 * Hands the files of a zip archive to `take`, one at a time and without the folders. Paths are relative, have no `..` and occur once.
 *
 * @param tooMuch the sentence for an archive that inflates to more than its limit
 * @param signal ends it before the next file; its reason is thrown
 * @throws BadArchive for any archive that is broken, encrypted or above the limits, or that has a path outside it or twice; an error of
 *   the file system as it is
 */
export async function eachFile(
  opening: Promise<ZipFile>,
  { entries, inflatedBytes, tooMuch, signal }: ZipLimits & { tooMuch: string; signal?: AbortSignal },
  take: (path: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const paths = new Set<string>()
  let left = inflatedBytes
  let count = 0
  try {
    const zip = await opening
    // Names with `..`, a drive or a leading slash are refused by the library.
    for await (const entry of zip.eachEntry()) {
      if (signal?.aborted) break
      const path: string = entry.fileName
      count += 1
      if (count > entries) throw new BadArchive(`The archive has more than ${entries} entries.`)
      if (path.endsWith('/')) continue
      if (Buffer.byteLength(path) > MAX_PATH || path.includes('\0')) {
        throw new BadArchive('The archive has a path that is too long or has a character that no path has.')
      }
      if (paths.has(path)) throw sameNameTwice()
      paths.add(path)
      if (entry.uncompressedSize > left) throw new BadArchive(tooMuch)
      await take(path, undamaged(entry, inflated(zip, entry, left)))
      left -= entry.uncompressedSize
    }
  } catch (error) {
    if (error instanceof BadArchive || (error instanceof Error && 'syscall' in error)) throw error
    const reason = error instanceof Error ? error.message.slice(0, 200).replace(/\.$/, '') : 'it is broken'
    throw new BadArchive(`The archive cannot be read: ${reason}.`, { cause: error })
  }
  signal?.throwIfAborted()
}

export function sameNameTwice(cause?: unknown): BadArchive {
  return new BadArchive('The archive has the same name twice.', { cause })
}

/** The library checks sizes, but no checksums. */
async function* undamaged(entry: Entry, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Error(`the checksum of ${entry.fileName} is wrong`)
}
