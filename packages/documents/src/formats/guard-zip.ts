import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ZIP_LIMITS } from './limits.ts'

const STORED = 0
const DEFLATED = 8

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
  // When the two headers disagree, a parser may read other bytes than were counted here.
  const { compressionMethod } = await zip.readLocalFileHeaderPromise(entry)
  if (compressionMethod !== entry.compressionMethod) throw new Error('the archive contradicts itself')
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) throw new Error('unknown compression')
  if (entry.isEncrypted()) throw new Error('the archive is encrypted')
  const most = Math.min(left, ZIP_LIMITS.ratioFreeBytes + entry.compressedSize * ZIP_LIMITS.ratio)
  let length = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const bytes: Buffer = chunk
    length += bytes.length
    if (length > most) throw new Error('the archive inflates to too much')
  }
  return length
}
