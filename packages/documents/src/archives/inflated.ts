import type { Entry, ZipFile } from 'yauzl'

const STORED = 0
const DEFLATED = 8

/**
 * The bytes of an entry as they are inflated.
 *
 * @throws Error when the entry is encrypted, contradicts itself or has more than `most` bytes
 */
export async function* inflated(zip: ZipFile, entry: Entry, most: number): AsyncGenerator<Buffer> {
  // When the two headers disagree, a parser may read other bytes than were counted here.
  const { compressionMethod } = await zip.readLocalFileHeaderPromise(entry)
  if (compressionMethod !== entry.compressionMethod) throw new Error('the archive contradicts itself')
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) throw new Error('unknown compression')
  if (entry.isEncrypted()) throw new Error('the archive is encrypted')
  let length = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const bytes: Buffer = chunk
    length += bytes.length
    if (length > most) throw new Error('the archive inflates to too much')
    yield bytes
  }
}
