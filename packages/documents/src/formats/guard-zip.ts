import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { inflated } from '../archives/inflated.ts'
import { ZIP_LIMITS } from './limits.ts'

/**
 * Checks an archive before it is parsed, because parsers inflate without limits and trust the declared sizes:
 * 64 MB of XML fit in 65 KB. Every entry is inflated once here, counted and discarded.
 *
 * @throws Error when the bytes are not an archive, or exceed {@link ZIP_LIMITS}
 */
export async function guardZip(bytes: Buffer): Promise<void> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  let entries = 0
  let inflated = 0
  for await (const entry of zip.eachEntry()) {
    entries += 1
    if (entries > ZIP_LIMITS.entries) throw new Error('the archive has too many entries')
    inflated += await countEntry(zip, entry, ZIP_LIMITS.inflatedBytes - inflated)
  }
}

async function countEntry(zip: ZipFile, entry: Entry, left: number): Promise<number> {
  const most = Math.min(left, ZIP_LIMITS.ratioFreeBytes + entry.compressedSize * ZIP_LIMITS.ratio)
  let length = 0
  for await (const chunk of inflated(zip, entry, most)) length += chunk.length
  return length
}
