import { fromBufferPromise } from 'yauzl'
import { inflated } from './inflated.ts'

/** What an archive may hold. */
export interface ZipLimits {
  entries: number
  inflatedBytes: number
}

/** A file of an archive; its path is relative and has no `..`. */
export interface ZippedFile {
  path: string
  bytes: Buffer
}

/** An archive that cannot be read, with the reason as a sentence for its sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

/**
 * The files of a zip archive, without its folders.
 *
 * @throws BadArchive for any archive that is broken, encrypted or above the limits, or that has a path outside of it or twice
 */
export async function readZip(bytes: Buffer, { entries, inflatedBytes }: ZipLimits): Promise<ZippedFile[]> {
  const files = new Map<string, ZippedFile>()
  let left = inflatedBytes
  let count = 0
  try {
    // Names with `..`, a drive or a leading slash are refused by the library.
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      const path: string = entry.fileName
      count += 1
      if (count > entries) throw new BadArchive(`The archive has more than ${entries} entries.`)
      if (path.endsWith('/')) continue
      if (files.has(path)) throw new BadArchive('The archive has two files of the same name.')
      const chunks: Buffer[] = []
      for await (const chunk of inflated(zip, entry, left)) chunks.push(chunk)
      const file = { path, bytes: Buffer.concat(chunks) }
      left -= file.bytes.length
      files.set(path, file)
    }
  } catch (error) {
    if (error instanceof BadArchive) throw error
    throw new BadArchive(`The archive cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
  return [...files.values()]
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200).replace(/\.$/, '') : 'it is broken'
}
