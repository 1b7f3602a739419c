import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ZIP_LIMITS } from './limits.ts'

const STORED = 0
const DEFLATED = 8

/**
 * Goes through an archive before a parser does. Parsers inflate without bounds, and believe sizes that are written in the
 * archive: 64 MB of XML fit in 65 KB. So everything is inflated once here, counted, and thrown away.
 *
 * @throws Error when the archive is no archive, or holds more than {@link ZIP_LIMITS} allow
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
  // Two readers may believe two headers: then one of them sees other bytes than were counted.
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
