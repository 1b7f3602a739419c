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
    writeLocalSizes(bytes, entry)
  }
}

const END_OF_ARCHIVE = Buffer.from('PK\x05\x06', 'latin1')
const END_BYTES = 22
const LONGEST_COMMENT = 0xffff

/** An archive without the bytes after its end: mail programs and downloads append a line or zeros, which the library refuses. */
export function withoutTail(bytes: Buffer): Buffer {
  const reach = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT)
  const at = bytes.lastIndexOf(END_OF_ARCHIVE)
  if (at < reach || at + END_BYTES > bytes.length) return bytes
  return bytes.subarray(0, at + END_BYTES + bytes.readUInt16LE(at + END_BYTES - 2))
}

/** Flag of an entry that was written as a stream: its sizes are behind its data (APPNOTE.TXT 4.3.9). */
const HAS_DESCRIPTOR = 0x08
const LOCAL_HEADER = 0x04034b50

/**
 * Writes the checked sizes of an entry into its local header, where streaming programs leave zeros. The spreadsheet
 * library reads the sizes there: a stored entry would be empty.
 */
function writeLocalSizes(bytes: Buffer, entry: Entry): void {
  const at = entry.relativeOffsetOfLocalHeader
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) return
  const flags = bytes.readUInt16LE(at + 6)
  if ((flags & HAS_DESCRIPTOR) === 0) return
  bytes.writeUInt16LE(flags & ~HAS_DESCRIPTOR, at + 6)
  bytes.writeUInt32LE(entry.crc32, at + 14)
  bytes.writeUInt32LE(entry.compressedSize, at + 18)
  bytes.writeUInt32LE(entry.uncompressedSize, at + 22)
}

async function countEntry(zip: ZipFile, entry: Entry, left: number): Promise<number> {
  const most = Math.min(left, ZIP_LIMITS.ratioFreeBytes + entry.compressedSize * ZIP_LIMITS.ratio)
  let length = 0
  for await (const chunk of inflated(zip, entry, most)) length += chunk.length
  return length
}
